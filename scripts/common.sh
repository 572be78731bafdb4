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
