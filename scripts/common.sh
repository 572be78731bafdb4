# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by the scripts. All downloads and builds are kept in $cache; deleting it loses nothing that cannot be remade.

cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/trace_irqoff

say() {
	printf '%s: %s\n' "${0##*scripts/}" "$*" >&2
}

# die STATUS SENTENCE
die() {
	local status=$1
	shift
	say "$*"
	exit "$status"
}

# Programs that scripts/vm/* use and a minimal Debian may lack. Each is also the name of its package; scripts/setup installs
# them.
vm_programs='cpio git mmdebstrap mount'

# What make unit needs: a program, a library of pkg-config or a header, and its Debian package.
# shellcheck disable=SC2034 # scripts/setup and tests/unit use it
unit_needs='cc gcc
stdio.h libc6-dev
make make
prove perl
pkg-config pkg-config
libnl-3.0 libnl-3-dev
libnl-genl-3.0 libnl-genl-3-dev
json-c libjson-c-dev
smartcols libsmartcols-dev
libzstd libzstd-dev
protoc-c protobuf-c-compiler
libprotobuf-c libprotobuf-c-dev
zlib zlib1g-dev
cmocka libcmocka-dev'

# narrate COMMAND...: runs it and prints its output and errors. After each 20 s without a line it says how long it goes on. It returns
# the command's status.
narrate() {
	local from=$SECONDS line='' part status
	"$@" 2>&1 | while :; do
		status=0
		IFS= read -r -t 20 part || status=$?
		line+=$part
		if [ "$status" = 0 ]; then
			printf '%s\n' "$line"
			line=
		elif [ "$status" -gt 128 ]; then
			echo "    (for $((SECONDS - from)) s now)"
		else
			printf '%s' "$line"
			break
		fi
	done
	return "${PIPESTATUS[0]}"
}

# need vm|check|consumers PROGRAM...: exits with status 126 unless all programs are there
need() {
	local with=$1 program missing=''
	shift
	for program in "$@"; do
		command -v "$program" > /dev/null || missing+="${missing:+, }$program"
	done
	[ -z "$missing" ] || die 126 "missing: $missing; 'scripts/setup $with' installs what is needed"
}

# need_namespaces: exits with status 126 where scripts/vm/* could make no mount namespaces
need_namespaces() {
	[ "$(id -u)" = 0 ] || die 126 "must run as root: it makes distribution roots"
	mountpoint -q / || die 126 "/ is not a mount point: run 'mount --bind ROOT ROOT' before 'chroot ROOT'"
	unshare --mount true 2> /dev/null || die 126 "this machine or container allows no mount namespaces (unshare --mount)"
}

# need_vm: the same, and for all programs that scripts/vm/* use
need_vm() {
	# shellcheck disable=SC2086 # words
	need vm $vm_programs
	need_namespaces
}

# locked NAME COMMAND...: runs COMMAND while no other process of this machine holds the lock NAME
locked() {
	local lock=$cache/lock/$1
	shift
	mkdir -p "$cache/lock"
	(
		flock 9
		"$@"
	) 9> "$lock"
}

# hash: a short checksum of standard input, for a cache key
hash() {
	sha256sum | cut -c 1-12
}

# tree_files PATH...: lists the project's files there, tracked or new but not ignored, each followed by a NUL. The checkout may
# belong to another user than root, which runs this: hence safe.directory.
tree_files() {
	git -c safe.directory='*' -C "${tree:?}" ls-files -z --cached --others --exclude-standard -- "$@" |
		while IFS= read -r -d '' file; do
			[ ! -f "$tree/$file" ] || printf '%s\0' "$file"
		done
}

# copy_files DIR PATH...: copies those files to DIR, which exists
copy_files() {
	local dir=$1
	shift
	tree_files "$@" | tar --create --directory="$tree" --null --files-from=- | tar --extract --directory="$dir"
}

# version: the version of module, reader and packages, which module/version.h alone says
version() {
	sed -n 's/^#define TRACE_IRQOFF_VERSION[[:space:]]*"\(.*\)"$/\1/p' "$tree/module/version.h"
}

# source_date: SOURCE_DATE_EPOCH, or when the last commit was made, in seconds of the epoch; 0 where there is none
source_date() {
	echo "${SOURCE_DATE_EPOCH:-$(git -c safe.directory='*' -C "$tree" log -1 --format=%ct 2> /dev/null || echo 0)}"
}

# gnu_triplet ARCHITECTURE: the GNU triplet of a Debian architecture
gnu_triplet() {
	case $1 in
	amd64) echo x86-64-linux-gnu ;;
	arm64) echo aarch64-linux-gnu ;;
	*) die 1 "no cross compiler is known for $1" ;;
	esac
}

# mmdebstrap_suite SUITE DIR LOG OPTION...: makes a root of the Debian SUITE in DIR. It uses a mirror that this machine's apt is
# configured for, if any has the suite, else mmdebstrap's default. It runs in its own mount namespace, so that nothing stays
# mounted whatever happens.
mmdebstrap_suite() {
	local suite=$1 dir=$2 log=$3 mirror=()
	shift 3
	# shellcheck disable=SC2016 # apt expands these
	apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' 2> /dev/null |
		awk -v s="$suite" '$3 == s || $3 == s "-updates" || $3 == s "-security"' | sort -u > "$log.list"
	[ ! -s "$log.list" ] || mirror=("$log.list")
	apt-config dump | grep -i '^Acquire::https\?::.*proxy' > "$log.apt" || true
	unshare --mount mmdebstrap --mode=root --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' \
		--aptopt="$log.apt" "$@" \
		"$suite" "$dir" "${mirror[@]}" < /dev/null 2>&1 9>&- | tee "$log" | sed -u -n 's/^I: /  /p' >&2 || {
		tail -n 20 "$log" >&2
		rm -rf --one-file-system "$dir"
		die 126 "could not make the $suite root; the log is $log"
	}
}
