#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The images of scripts/fleet/kubernetes: buildah builds that of the agent, and by it that of the module for Debian's kernel, on a
# base made by mmdebstrap in place of the one that a registry has. Then crun runs the agent with what agent.yaml gives it, under
# containerd's default profile, on this machine, which has no module: it has to wait, and to end when it is told.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh
need consumers buildah crun mmdebstrap
tmp=$(mktemp -d)
trap 'crun --root "$tmp/crun" delete --force agent > /dev/null 2>&1; rm -rf --one-file-system "$tmp"' EXIT
store=(--storage-driver vfs --root "$tmp/store" --runroot "$tmp/run")
debian=docker.io/library/debian:bookworm-slim
export BUILDAH_ISOLATION=chroot

manifest() {
	tests/python --modules tests/consumers/kubernetes.txt tests/consumers/manifest "$@"
}

# base: what a registry has by the name $debian, with this machine's package mirrors
base() {
	local tar=$cache/image/bookworm.tar container
	if [ ! -e "$tar" ]; then
		mkdir -p "$cache/image"
		mmdebstrap_suite bookworm "$tmp/base" "$cache/image/bookworm.log" --variant=minbase || return
		tar --directory="$tmp/base" --create --file="$tar.new" . && mv "$tar.new" "$tar" && rm -rf --one-file-system "$tmp/base" || return
	fi
	container=$(buildah "${store[@]}" from scratch) && buildah "${store[@]}" add --quiet "$container" "$tar" / &&
		buildah "${store[@]}" commit --quiet --rm "$container" "$debian"
}

# build FILE TAG CONTEXT ARGUMENT...
build() {
	local file=$1 tag=$2 context=$3
	shift 3
	buildah "${store[@]}" bud --quiet --pull-never --file "$file" --tag "$tag" "$@" "$context" > "$tmp/log" 2>&1 || {
		diag "$(tail -n 20 "$tmp/log")"
		return 1
	}
}

# of_image TAG: the directory of its files
of_image() {
	local container
	container=$(buildah "${store[@]}" from --pull-never "$1") && buildah "${store[@]}" mount "$container"
}

diag "CONSUMER crun $(crun --version | sed -n 's/^crun version //p')"
ok 'a base image is there' base
agent=registry.example.com/trace-irqoff:latest
mkdir "$tmp/context"
copy_files "$tmp/context" .
ok 'the image of the agent is built' build scripts/fleet/kubernetes/Containerfile "$agent" "$tmp/context"
root=$(of_image "$agent")
is 'it has the reader' "$(chroot "$root" irqoff --version | sed -n '1s/,.*//p')" "irqoff $(version)"
is 'it has no compiler' "$(find "$root/usr/bin" "$root/usr/lib" \( -name 'gcc*' -o -name 'cc1' -o -name 'make' \) -printf '%f ')" ''
is 'nor objects among the source' "$(find "$root/usr/src" -name '*.o' -o -name '*.ko')" ''
is 'what makes it larger than the base, in MB, is less than 20' "$(($(du -sm --one-file-system "$root" | cut -f 1) - $(du -sm --one-file-system "$(of_image "$debian")" | cut -f 1) < 20))" 1

# the module's, for the kernel whose headers a root of a Debian node has
headers=$(apt-cache depends linux-headers-amd64 2> /dev/null | sed -n 's/^ *Depends: \(linux-headers-6\.1\.0-[0-9]*-amd64\)$/\1/p')
release=${headers#linux-headers-}
manifest json scripts/fleet/kubernetes/module.yaml |
	python3 -c 'import json, sys; print(next(d["data"]["dockerfile"] for d in json.load(sys.stdin) if d["metadata"]["name"] == "trace-irqoff-debian"), end="")' > "$tmp/dockerfile"
mkdir "$tmp/empty"
ok 'the image of the module is built' build "$tmp/dockerfile" kmod:test "$tmp/empty" --build-arg "KERNEL_FULL_VERSION=$release"
root=$(of_image kmod:test)
is 'it is for that kernel' "$(grep -a -o 'vermagic=[^ ]*' "$root/opt/lib/modules/$release/trace_irqoff.ko")" "vermagic=$release"
is 'depmod has listed it' "$(cat "$root/opt/lib/modules/$release/modules.dep")" trace_irqoff.ko:
is 'KMM finds what copies it' "$(test -x "$root/bin/cp"; echo $?)" 0

manifest json scripts/fleet/kubernetes/agent.yaml > "$tmp/agent.json"
# containers/common's profile, which CRI-O and podman have, comes with buildah
is 'CRI-O allows setns and open_by_handle_at' "$(python3 tests/consumers/bundle allowed "$tmp/agent.json" /usr/share/containers/seccomp.json setns open_by_handle_at)" 'True True'
is 'and the latter for its capability only' "$(python3 tests/consumers/bundle allowed /dev/null /usr/share/containers/seccomp.json open_by_handle_at)" False

# The agent. A node without the module: this machine's, if it has none.
ok 'this machine has no module loaded' test ! -d /sys/module/trace_irqoff
root=$(of_image "$agent")
mkdir -p "$tmp/bundle" "$tmp/node/captures" "$tmp/node/state" "$tmp/node/modules"
# shellcheck disable=SC2046 # words
tests/consumers/seccomp-profile containerd $(python3 tests/consumers/bundle capabilities "$tmp/agent.json") > "$tmp/seccomp.json"
python3 tests/consumers/bundle config "$tmp/agent.json" "$tmp/seccomp.json" "$root" "$tmp/node" > "$tmp/bundle/config.json"
# runs it: crun knows no machine with both versions of cgroups, so it gets to see one with version 2, as most clusters have
runs() {
	# shellcheck disable=SC2016 # the inner shell expands these
	exec unshare --mount sh -euc 'mount -t cgroup2 none /sys/fs/cgroup; exec crun --root "$1/crun" --cgroup-manager disabled run --bundle "$1/bundle" agent' sh "$tmp"
}
runs > "$tmp/out" 2>&1 &
pid=$!
for _ in {1..100}; do
	! grep -q 'not loaded' "$tmp/out" || break
	sleep 0.1
done
like 'the agent says what is missing' "$(cat "$tmp/out")" 'the module (trace_irqoff )?is not loaded'

# inside COMMAND...: in the container, as kubectl exec
inside() {
	crun --root "$tmp/crun" exec agent "$@"
}
like 'the reader finds the known causes' "$(inside irqoff causes)" ip_vs-estimation
is 'its capabilities' "$(inside sed -n 's/^Cap\(Prm\|Eff\|Bnd\):\t//p' /proc/1/status | sort -u)" 0000000400200004
is 'no new privileges, and a filter' "$(inside sed -n -e 's/^NoNewPrivs:\t//p' -e 's/^Seccomp:\t//p' /proc/1/status | tr '\n' ' ')" '1 2 '
is 'the root is read-only' "$(inside sh -c ': > /new' 2>&1 | grep -o 'Read-only file system')" 'Read-only file system'
is 'the node'\''s cgroups cannot be written' "$(inside sh -c 'mkdir /sys/fs/cgroup/new' 2>&1 | grep -o 'Read-only file system')" 'Read-only file system'
ok 'captures can be written' inside sh -c ': > /var/lib/trace-irqoff/new'
ok 'so can the state' inside sh -c ': > /run/trace-irqoff/new'
is 'its network namespace is the host'\''s' "$(inside readlink /proc/self/ns/net)" "$(readlink /proc/self/ns/net)"
# shellcheck disable=SC2016 # perl's
calls='
	use constant { NAME_TO_HANDLE => 303, OPEN_BY_HANDLE => 304, SETNS => 308, CLONE_NEWNET => 0x40000000 };
	my $point = "/sys/fs/cgroup";
	my ($handle, $id) = (pack("Ii", 128, 0) . "\0" x 128, "\0" x 8);
	my $named = syscall(NAME_TO_HANDLE, -100, my $path = $point, $handle, $id, 0);
	open(my $dir, "<", $point) or die "$point: $!";
	my $opened = syscall(OPEN_BY_HANDLE, fileno($dir), $handle, 0200000);
	my $first = $opened < 0 ? "$!" : "opened";
	open(my $net, "<", "/proc/self/ns/net") or die;
	print $named, " $first ", syscall(SETNS, fileno($net), CLONE_NEWNET) < 0 ? "$!" : "entered";'
is 'cgroups open by their ids, and network namespaces can be entered' "$(inside perl -e "$calls")" '0 opened entered'
# shellcheck disable=SC2016 # awk's
addresses=$(inside awk '$1 !~ /^0*$/ { n++ } END { print (n > 1000) }' /proc/kallsyms)
is 'addresses of the kernel are seen, unless it hides them from all' "$addresses" "$(($(sysctl -n kernel.kptr_restrict) < 2))"

ok 'it still waits' kill -0 "$pid"
crun --root "$tmp/crun" kill agent TERM
wait "$pid"
is 'it ends when it is told' $? 0

# the same without the capabilities: so the tests above can fail
tests/consumers/seccomp-profile containerd > "$tmp/seccomp.json"
python3 tests/consumers/bundle config "$tmp/agent.json" "$tmp/seccomp.json" "$root" "$tmp/node" --none perl -e "$calls" > "$tmp/bundle/config.json"
is 'without its capabilities none of both' "$(runs 2>&1)" \
	'0 Operation not permitted Operation not permitted'
done_testing
