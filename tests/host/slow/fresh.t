#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs what README.md and docs/testing/README.md say, on a machine that has only what README.md asks for: a minimal Debian with git
# and make, and a cache of its own (3 GB for a while).
set -u
cd "$(dirname "$0")/../../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh
mkdir -p "$cache"
dir=$(mktemp -d "$cache/fresh-XXXXXX")
trap 'rm -rf --one-file-system "$dir"' EXIT

(mmdebstrap_suite bookworm "$dir/root" "$dir/log" --variant=minbase --include=git,make)
is 'a minimal Debian' $? 0
cp -L /etc/resolv.conf "$dir/root/etc/"
mkdir "$dir/root/root/tree"
copy_files "$dir/root/root/tree" .
git -C "$dir/root/root/tree" init -q

# there COMMAND...: runs it there; sets $output and $status
there() {
	# shellcheck disable=SC2016 # the inner shell expands these
	output=$(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root setpriv --pdeathsig KILL unshare --mount sh -euc '
		root=$1
		shift
		# as the root of a machine is
		mount --bind "$root" "$root"
		mount -t proc proc "$root/proc"
		mount -t sysfs sysfs "$root/sys"
		mount --rbind /dev "$root/dev"
		exec chroot "$root" sh -c "cd /root/tree && exec \"\$@\"" sh "$@"
	' sh "$dir/root" "$@" 2>&1 < /dev/null)
	status=$?
}

# succeeds NAME COMMAND...: one test, which passes if COMMAND succeeds there
succeeds() {
	local name=$1
	shift
	there "$@"
	is "$name" "$status" 0
	[ "$status" = 0 ] || diag "$(tail -n 20 <<< "$output")"
}

there scripts/vm/run -- true
is 'without scripts/setup a guest is refused' "$status $(wc -l <<< "$output")" '126 1'
like 'and the message says what to do' "$output" "^vm/run: missing: .*'scripts/setup vm'"
succeeds 'make demo' make demo
like 'make demo finds both stalls' "$output" '^=== .*Done: both stalls were found'

# The rest of make check takes long. These tests use what it has installed and need the fewest guests.
succeeds 'what the tests need is installed' scripts/setup check
for test in failures.t unit.t release/run.t lint.t; do
	succeeds "$test" tests/run-test "tests/host/$test"
	is "$test: nothing failed" "$(grep -c '^not ok' <<< "$output")" 0
done
done_testing
