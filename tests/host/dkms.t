#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# dkms.conf as a user's machine uses it: the tree is in /usr/src, then dkms add, autoinstall, uninstall, install and remove run
# unchanged. A kernel upgrade runs autoinstall, which builds; here also for kernels that dkms.conf refuses. make check has the first
# kernel of scripts/kernels, make check-release the oldest and the newest, too, whose dkms differs.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

version=$(version)
name=trace_irqoff-$version
mkdir "$tmp/$name"
copy_files "$tmp/$name" .
cat > "$tmp/script" << 'EOF'
set -e
release=$(ls /lib/modules)
cp -r "/mnt/$1-$2" /usr/src/
step() { echo "--- $*"; "$@" 2>&1; }
step dkms add "$1/$2"
step dkms autoinstall -k "$release"
step dkms status
step modinfo -k "$release" "$1"
step dkms uninstall "$1/$2" -k "$release"
step dkms install "$1/$2" -k "$release"
step dkms status
step dkms --version
dkms remove "$1/$2" --all > /dev/null
# One kernel is too old by its name, one newer than any that was tested, one lacks an option in its configuration. All are otherwise
# the installed kernel.
dkms add "$1/$2" > /dev/null
for refused in 4.14.0-1-amd64 7.99.0-1-amd64 6.99.0-1-nohres; do
	cp -r "/lib/modules/$release" "/lib/modules/$refused"
	if [ "$refused" = 6.99.0-1-nohres ]; then
		# Nothing is built with these. 7.2's headers only build where they are.
		rm "/lib/modules/$refused/build"
		cp -rL "/lib/modules/$release/build" "/lib/modules/$refused/build"
		sed -i 's/^CONFIG_HIGH_RES_TIMERS=y/# CONFIG_HIGH_RES_TIMERS is not set/' \
			"/lib/modules/$refused/build/.config" "/lib/modules/$refused/build/include/config/auto.conf"
	fi
	echo "--- refused $refused:"
	dkms autoinstall -k "$refused" 2>&1 && status=0 || status=$?
	echo "autoinstall: $status"
	find "/lib/modules/$refused" -name "$1*"
done
echo "--- override:"
echo 'BUILD_EXCLUSIVE_KERNEL=""' > /etc/dkms/trace_irqoff.conf
dkms install "$1/$2" -k 7.99.0-1-amd64 > /dev/null 2>&1 && status=0 || status=$?
echo "install: $status"
find /lib/modules/7.99.0-1-amd64 -name "$1*"
dkms remove "$1/$2" --all > /dev/null
echo "--- left:"
find /lib/modules -name "$1*"
EOF

# by_name NAME...: prints those that dkms.conf takes
by_name() {
	local BUILD_EXCLUSIVE_KERNEL name
	# shellcheck source=dkms.conf
	. ./dkms.conf
	for name in "$@"; do
		! [[ $name =~ $BUILD_EXCLUSIVE_KERNEL ]] || echo "$name"
	done
}

taken=(4.18.0-80.el8.x86_64 4.18.0-553.66.1.el8_10.x86_64 4.18.0-553.el8_10.x86_64+debug 4.19.0-27-amd64
	5.4.0-216-generic 5.4.119-19.0009 5.10.0-46-amd64 5.14.0-570.12.1.el9_6.x86_64 6.1.0-56-amd64 6.12.0-55.el10.x86_64
	7.2.13+deb14-amd64 7.3.4+deb13-amd64)
is 'the names of kernels that are supported' "$(by_name "${taken[@]}")" "$(printf '%s\n' "${taken[@]}")"
is 'the names of others, newer ones, and of the real-time kernel of RHEL 8' "$(by_name 7.4.0-1-amd64 7.10.1-1-amd64 8.0.0-1-amd64 10.0.0-1-amd64 3.10.0-1160.el7.x86_64 4.9.0-19-amd64 \
	4.14.355-280.amzn2.x86_64 4.18.0-25-generic 4.18.0-553.rt7.342.el8_10.x86_64 5.3.0-3-amd64)" ''

# the newest series with a row that was booted
newest=$(perl -MJSON::PP -0777 -ne '/^(\d+\.\d+)/ && print "$1\n" for map { $_->{kernel} } grep { $_->{boot} ne "no" } values %{ decode_json($_) }' \
	tests/compat.json | sort -V | tail -n 1)
is 'the newest series that is taken is the newest that was booted' "$(by_name "$newest.0-1-amd64" "${newest%.*}.$((${newest#*.} + 1)).0-1-amd64")" \
	"$newest.0-1-amd64"

own=$(scripts/kernels --own)
for kernel in ${TRACE_IRQOFF_KERNEL:-${TRACE_IRQOFF_KERNELS:-$(scripts/kernels | awk '{ print $1 }')}}; do
	! grep -q "^$kernel " <<< "$own" || continue # no distribution installs these
	[ "$(scripts/kernels --arch "$kernel")" = amd64 ] || continue # nothing builds modules for these on this machine
	root=$(scripts/vm/root "$kernel")
	out=$(scripts/vm/inroot "$root" "$tmp" sh script trace_irqoff "$version" 2>&1)
	is "$kernel: dkms ends well" $? 0
	like "$kernel: the installed module's version" "$out" "^version: +${version//./\\.}\$"
	like "$kernel: it is a module of dkms" "$out" '^filename: +/lib/modules/.*/updates/dkms/trace_irqoff\.ko'
	is "$kernel: dkms install and dkms autoinstall install it" \
		"$(grep -cE "^trace_irqoff[/, ]+$version, .*: installed" <<< "$out")" 2
	# dkms 3.0.10 (Debian 12) reports a refusal as an error, later versions do not. dkms 2.8 has no BUILD_EXCLUSIVE_CONFIG.
	wanted=$'autoinstall: 0\nautoinstall: 0\nautoinstall: 0'
	case $(grep -A 1 -e '^--- dkms --version' <<< "$out") in
	*3.0.10*) wanted=$'autoinstall: 11\nautoinstall: 11\nautoinstall: 11' ;;
	*2.8*) wanted=$'autoinstall: 0\nautoinstall: 0\nautoinstall: 0\n/lib/modules/6.99.0-1-nohres/updates/dkms/trace_irqoff.ko' ;;
	esac
	is "$kernel: autoinstall builds nothing for an unsupported kernel" \
		"$(sed '/^--- override/,$d' <<< "${out#*--- refused}" | grep -E '^(autoinstall:|/lib/modules)')" "$wanted"
	like "$kernel: an override in /etc/dkms builds it for a kernel above the cap" "${out#*--- override}" \
		'^/lib/modules/7\.99\.0-1-amd64/updates/dkms/trace_irqoff\.ko'
	is "$kernel: nothing is left" "${out##*--- left:}" ''
	ok "$kernel: no deprecated or unknown directive" \
		test -z "$(grep -i -e deprecat -e 'warning' <<< "${out%%--- refused*}")"
	[[ $out == *'--- left:' ]] || diag "$out"
done
done_testing
