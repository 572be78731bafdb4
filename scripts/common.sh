# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by the scripts. Everything downloaded or built lives under $cache and can be made again from nothing.

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

# What scripts/vm/* use that a minimal Debian may lack. Each program has the name of its package; scripts/setup installs them.
vm_programs='cpio git mmdebstrap mount'

# need vm|check PROGRAM...: ends here unless all of them are there
need() {
	local with=$1 program missing=''
	shift
	for program in "$@"; do
		command -v "$program" > /dev/null || missing+="${missing:+, }$program"
	done
	[ -z "$missing" ] || die 126 "missing: $missing; 'scripts/setup $with' installs what is needed"
}

# need_vm: the same for all that scripts/vm/* use
need_vm() {
	# shellcheck disable=SC2086 # words
	need vm $vm_programs
}

# locked NAME COMMAND...: one run at a time for each NAME, on this machine
locked() {
	local lock=$cache/lock/$1
	shift
	mkdir -p "$cache/lock"
	(
		flock 9
		"$@"
	) 9> "$lock"
}

# hash: the first characters of standard input's checksum, enough for a cache key
hash() {
	sha256sum | cut -c 1-12
}

# tree_files PATH...: the project's files there, each with a NUL after it, whether git knows them yet or not. Whose
# checkout it is does not matter: root may well run somebody else's.
tree_files() {
	git -c safe.directory='*' -C "${tree:?}" ls-files -z --cached --others --exclude-standard -- "$@" |
		while IFS= read -r -d '' file; do
			[ ! -f "$tree/$file" ] || printf '%s\0' "$file"
		done
}

# gnu_triplet ARCHITECTURE: what the GNU tools call Debian's ARCHITECTURE
gnu_triplet() {
	case $1 in
	amd64) echo x86-64-linux-gnu ;;
	arm64) echo aarch64-linux-gnu ;;
	*) die 1 "no cross compiler is known for $1" ;;
	esac
}

# mmdebstrap_suite SUITE DIR LOG OPTION...: makes the Debian SUITE in DIR. Where this machine's apt already knows a mirror
# of it that is used, otherwise mmdebstrap's default. In a mount namespace of its own, so that nothing stays mounted
# whatever happens.
mmdebstrap_suite() {
	local suite=$1 dir=$2 log=$3 mirror=()
	shift 3
	# shellcheck disable=SC2016 # apt expands these
	apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' 2> /dev/null |
		awk -v s="$suite" '$3 == s || $3 == s "-updates" || $3 == s "-security"' | sort -u > "$log.list"
	[ ! -s "$log.list" ] || mirror=("$log.list")
	apt-config dump | grep -i '^Acquire::https\?::.*proxy' > "$log.apt" || true
	unshare --mount mmdebstrap --mode=root --aptopt='Acquire::Check-Valid-Until "false"' --aptopt="$log.apt" "$@" \
		"$suite" "$dir" "${mirror[@]}" < /dev/null 2>&1 9>&- | tee "$log" | sed -u -n 's/^I: /  /p' >&2 || {
		tail -n 20 "$log" >&2
		rm -rf --one-file-system "$dir"
		die 126 "could not make the $suite root; the log is $log"
	}
}
