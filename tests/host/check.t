#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# tests/check: what it runs in which order, and what a resumed run of --all passes over. Tried on a tree whose tests only say
# that they ran.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

root=$(scripts/vm/root 6.1)
scripts/vm/qemu > /dev/null
mkdir -p "$tmp/tree/docs" "$tmp/cache/trace_irqoff"
# the distribution roots are big, and not changed
ln -s "${root%/*}" "$tmp/cache/trace_irqoff/root"
tree_files scripts module/version.h tests/check tests/guest-keeper tests/run-test tests/failures tests/mutate |
	tar --create --null --files-from=- | tar -x -C "$tmp/tree"
cd "$tmp/tree" || exit
tree=$PWD
bad=$tmp/bad	# the test in which this is
for room in host host/slow guest guest/live guest/slow guest/debug guest/debug/slow; do
	mkdir -p "tests/$room"
	for name in build kinds settings two; do
		[ "$name" != build ] || [ "$room" = host ] || continue
		cat > "tests/$room/$name.t" <<-END
			#!/bin/sh
			test=$room/$name.t\${TRACE_IRQOFF_KERNEL:+@\$TRACE_IRQOFF_KERNEL}
			echo "\$test" >> $tmp/ran
			! grep -qsx "\$test" $bad || echo not ok
			echo ok
			echo 1..1
		END
		chmod +x "tests/$room/$name.t"
	done
done
mkdir -p tests/mutants
echo 'a document' > docs/design.md
git init -q .

# check ARGUMENT...: runs it; what ran is in $ran, what it said in $said, and its status in $status
check() {
	rm -f "$tmp/ran"
	touch "$tmp/ran"
	# one job at a time, by what nproc says: two end in any order
	env -u TRACE_IRQOFF_LOGS -u TRACE_IRQOFF_VERDICTS -u TRACE_IRQOFF_KERNEL -u TRACE_IRQOFF_GUESTS OMP_NUM_THREADS=1 \
		XDG_CACHE_HOME="$tmp/cache" "$@" > "$tmp/said" 2>&1
	status=$?
	ran=$(cat "$tmp/ran") said=$(cat "$tmp/said")
}

check SEED=1 tests/check
is 'all pass' "$status" 0
one=$ran
newest=$(scripts/kernels | awk 'END { print $1 }')
sorted() { sort <<< "$1" | tr '\n' ' '; }
is 'the tests of the first kernel, two of the newest, and those of this machine' "$(sorted "$ran")" \
	"$(sorted "$(printf '%s\n' host/{build,kinds,settings,two}.t guest/{,live/}{kinds,settings,two}.t@6.1 \
		guest/{kinds,settings}.t@"$newest")")"
like 'the time of each is said' "$said" '^6\.1 +tests/guest/live/two\.t +ok +[0-9]+ '
like 'and what was left out, with its command' "$said" 'make check KERNELS=6\.1-debug'
is 'those that need the machine for themselves come last' "$(tail -n 3 <<< "$ran" | grep -c '^guest/live/')" 3
check SEED=1 tests/check
is 'a seed repeats the order' "$(grep @ <<< "$ran")" "$(grep @ <<< "$one")"
check SEED=2 tests/check
ok 'another one draws another' test "$(grep @ <<< "$ran")" != "$(grep @ <<< "$one")"
like 'the seed is said' "$said" 'SEED=2$'
echo guest/two.t@6.1 > "$bad"
check tests/check
is 'a failure fails it' "$status" 1
like 'and is said at the end' "$(tail -n 5 <<< "$said")" '^--- tests/guest/two\.t@6\.1$'
rm "$bad"

check env KERNELS=6.1 FRESH=1 tests/check --all
is 'everything: all of it passes' "$status" 0
like 'the slow ones too' "$ran" '^guest/slow/kinds.t@6.1$'
table=$tmp/cache/trace_irqoff/check-all.table
is 'each is in the table' "$(grep -c ' ok ' "$table")" 16
check env KERNELS=6.1 tests/check --all
is 'what passed is not run again' "$status '$ran'" "0 ''"
echo 'another document' > docs/design.md
check env KERNELS=6.1 tests/check --all
is 'nor in guests when a document changes' "$(grep -c @ <<< "$ran")" 0
echo guest/two.t@6.1 > "$bad"
echo '/* changed */' >> module/version.h
check env KERNELS=6.1 tests/check --all
is 'all is when the code does' "$(grep -c @ <<< "$ran") $status" '9 1'
rm "$bad"
check env KERNELS=6.1 tests/check --all
is 'what failed is not tried again' "$status '$ran'" "1 ''"
like 'and stays in the table' "$(cat "$table")" '^6\.1 +tests/guest/two\.t +failed '
check env KERNELS=6.1 AGAIN=tests/guest/two.t@6.1 tests/check --all
is 'until it is named' "$status $(grep @ <<< "$ran")" '0 guest/two.t@6.1'
find "$tmp/cache/trace_irqoff/verdicts" -name '*kinds*' -exec sed -i 's/ [0-9]*$/ 1000000000/' {} +
check env KERNELS=6.1 tests/check --all
is 'after a day it is run again' "$(grep -c /kinds.t@ <<< "$ran") $(grep -c /two.t@ <<< "$ran")" '3 0'
check env STRESS_SECONDS=5 KERNELS=6.1 tests/check --all
is 'as it is with other settings of the tests' "$(grep -c @ <<< "$ran")" 9
done_testing
