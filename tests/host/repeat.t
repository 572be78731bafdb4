#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# tests/repeat: counts verdicts, and fails if a test fails once. It repeats tests that only end.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# fake NAME LINE...: a test of those lines
fake() {
	printf '%s\n' '#!/bin/sh' "${@:2}" 'echo 1..1' > "$tmp/$1.t"
	chmod +x "$tmp/$1.t"
}
# repeat ARGUMENT...: sets $out and $status
repeat() {
	out=$(XDG_CACHE_HOME=$tmp/cache tests/repeat "$@" 2> "$tmp/err")
	status=$?
}

fake good 'echo ok'
fake skipped 'echo "1..0 # SKIP no need"; exit'
fake bad "echo >> $tmp/runs" "[ \$(wc -l < $tmp/runs) != 2 ] || printf 'not ' " 'echo ok 1 - twice'
repeat 3 "$tmp/good.t" "$tmp/skipped.t@6.1"
is 'tests that pass, and tests that are skipped' "$status" 0
like 'it says beside what' "$out" "^beside $(nproc) busy loops:$"
like 'it counts those that passed' "$out" '/good\.t +3 +0 +0 +0  [0-9]+ to [0-9]+$'
like 'and those that were skipped' "$out" '/skipped\.t@6\.1 +0 +0 +0 +3  '
repeat --busy 0 3 "$tmp/bad.t"
is 'a test that fails once' "$status" 1
like 'is counted' "$out" '/bad\.t +2 +1 +0 +0  '
like 'and its failure is printed' "$out" '^ +not ok 1 - twice$'
is 'what it printed is kept' "$(ls "$tmp/cache/trace_irqoff/repeat")" "${tmp//\//+}+bad.t.2"
for wrong in '' 3 '0 x' 'x x' '3 /nowhere.t'; do
	# shellcheck disable=SC2086 # words
	repeat $wrong
	is "refused: '$wrong'" "$status $(wc -l < "$tmp/err")" '2 1'
done
done_testing
