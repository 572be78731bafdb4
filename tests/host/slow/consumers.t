#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What monitoring systems read is right: each consumer of tests/consumers/run passes. And that program fails where a check does.
set -u
cd "$(dirname "$0")/../../.." || exit
. tests/host/tap.sh

table=$(tests/consumers/run 2>&1)
is 'tests/consumers/run' $? 0
diag "$table"
for consumer in promtool node_exporter Prometheus dashboard ClickHouse Kubernetes crun; do
	like "$consumer passed" "$table" "^$consumer +[^ ]+ +[0-9]+  passed(, [0-9]+ skipped)?$"
done

# a test of a tree in which it fails, and one that stops in its midst
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/tests/consumers" "$tmp/scripts"
cp tests/consumers/run "$tmp/tests/consumers"
cp scripts/common.sh "$tmp/scripts"
# fake NAME LINE...: a test that prints these
fake() {
	local name=$1
	shift
	printf '%s\n' '#!/bin/sh' "printf '%s\\n' '# CONSUMER $name 1' $(printf "'%s' " "$@")" > "$tmp/tests/consumers/$name.t"
	chmod +x "$tmp/tests/consumers/$name.t"
}
fake good 'ok 1 - a' '1..1'
fake bad 'ok 1 - a' 'not ok 2 - b' '1..2'
fake cut 'ok 1 - a'
fake silent '1..0'
fake idle '1..0 # SKIP nothing to ask'
out=$(XDG_CACHE_HOME=$tmp "$tmp/tests/consumers/run" idle)
is 'one that does not run' "$?:$(tail -n 1 <<< "$out" | tr -s ' ')" '0:idle - 0 not run: nothing to ask'
out=$(XDG_CACHE_HOME=$tmp "$tmp/tests/consumers/run" good)
is 'one that passes' "$?:$(tail -n 1 <<< "$out" | tr -s ' ')" '0:good 1 1 passed'
for name in bad cut silent; do
	out=$(XDG_CACHE_HOME=$tmp "$tmp/tests/consumers/run" "$name" 2>&1)
	is "$name fails" $? 1
	like "$name: its log is named" "$out" "(failed|did not end well): .*/$name.log"
done
done_testing
