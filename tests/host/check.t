#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# tests/check: which tests it runs, in which order, and which tests a resumed run of --all skips. It runs on a tree whose tests
# only log that they ran.
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
# the distribution roots are large and do not change
ln -s "${root%/*}" "$tmp/cache/trace_irqoff/root"
copy_files "$tmp/tree" scripts module/version.h tests/check tests/guest-keeper tests/run-test tests/failures tests/mutate
cd "$tmp/tree" || exit
# these tests need no packages, and what tests/check needs is installed
printf '#!/bin/sh\n' > scripts/setup
bad=$tmp/bad	# names the test that fails
uncounted=$tmp/uncounted	# names the test that fails without counting
meet=$tmp/meet	# names two tests, each of which fails unless it runs beside the other
for room in host host/release host/slow guest guest/live guest/slow guest/debug guest/debug/slow; do
	mkdir -p "tests/$room"
	for name in build kinds settings two; do
		[ "$name" != build ] || [ "$room" = host ] || continue
		cat > "tests/$room/$name.t" <<-END
			#!/bin/sh
			test=$room/$name.t\${TRACE_IRQOFF_KERNEL:+@\$TRACE_IRQOFF_KERNEL}
			echo "\$test\${TRACE_IRQOFF_ORDINARY:+ ordinary}" >> $tmp/ran
			echo \$TRACE_IRQOFF_KERNELS > $tmp/kernels
			! grep -qsx "\$test" $bad || echo not ok
			! grep -qsx "\$test" $uncounted || exec printf '%s\n' 'ok 1 - in time # skip failed, uncounted' 1..1
			if grep -qsx "\$test" $meet; then
				for tenth in \$(seq 100); do
					[ "\$(grep -xc -f $meet -e "\$(sed 's/\$/ ordinary/' $meet)" $tmp/ran)" != 2 ] || break
					sleep 0.1
				done
				[ "\$tenth" != 100 ] || echo not ok
			fi
			echo ok
			echo 1..1
		END
		chmod +x "tests/$room/$name.t"
	done
done
mkdir -p tests/mutants
echo 'a document' > docs/design.md
git init -q .

jobs=1
# check ARGUMENT...: runs it; $ran lists the tests that ran, $said is the output, $status the exit status
check() {
	rm -f "$tmp/ran"
	touch "$tmp/ran"
	# nproc obeys this: with one job at a time, tests end in order
	env -u TRACE_IRQOFF_LOGS -u TRACE_IRQOFF_VERDICTS -u TRACE_IRQOFF_KERNEL -u TRACE_IRQOFF_GUESTS -u TRACE_IRQOFF_ORDINARY \
		OMP_NUM_THREADS="$jobs" XDG_CACHE_HOME="$tmp/cache" "$@" > "$tmp/said" 2>&1
	status=$?
	ran=$(cat "$tmp/ran") said=$(cat "$tmp/said")
}

check SEED=1 tests/check
is 'all pass' "$status" 0
one=$ran
newest=$(scripts/kernels | awk 'END { print $1 }')
sorted() { sort <<< "$1" | tr '\n' ' '; }
is 'it runs the tests of the first kernel, one of the newest, and those of this machine' "$(sorted "$ran")" \
	"$(sorted "$(printf '%s\n' host/{build,kinds,settings,two}.t guest/{,live/}{kinds,settings,two}.t@6.1 guest/kinds.t@"$newest")")"
like 'it prints the time of each' "$said" '^6\.1 +tests/guest/live/two\.t +ok +[0-9]+ '
like 'it prints what was left out, with the command' "$said" 'make check-release
.*make check KERNELS=6\.1-debug'
is 'those that need the machine for themselves come last' "$(tail -n 3 <<< "$ran" | grep -c '^guest/live/')" 3
check SEED=1 tests/check
is 'a seed repeats the order' "$(grep @ <<< "$ran")" "$(grep @ <<< "$one")"
check SEED=2 tests/check
ok 'another seed gives another order' test "$(grep @ <<< "$ran")" != "$(grep @ <<< "$one")"
like 'it prints the seed' "$said" 'SEED=2$'
printf '%s\n' guest/kinds.t@6.1 guest/live/two.t@6.1 > "$meet"
jobs=2
check tests/check
is 'a test that bears it runs beside those of live CPUs' "$status" 0
is 'its guests have ordinary priority' "$(grep ordinary <<< "$ran" | sort)" \
	"$(printf 'guest/kinds.t@%s ordinary\n' 6.1 "$newest")"
is 'and it runs once' "$(sort <<< "$ran" | uniq -d)" ''
echo guest/kinds.t@6.1 > "$bad"
check tests/check
is 'if it fails, so does the run' "$status" 1
like 'its verdict is in the table' "$said" '^6\.1 +tests/guest/kinds\.t +failed '
rm "$bad" "$meet"
jobs=1
echo 100 > "$tmp/cache/trace_irqoff/times/tests+guest+two.t@6.1"
check tests/check
is 'the one that took longest comes first' "$(grep -m 1 '^guest/.*@6' <<< "$ran")" guest/two.t@6.1
echo guest/two.t@6.1 > "$bad"
check tests/check
is 'a failed test makes it fail' "$status" 1
like 'it prints the failure at the end' "$(tail -n 5 <<< "$said")" '^--- tests/guest/two\.t@6\.1$'
rm "$bad"
echo guest/two.t@6.1 > "$uncounted"
check tests/check
is 'one that fails without counting fails nothing' "$status" 0
like 'it is printed' "$(tail -n 2 <<< "$said")" '^tests/guest/two\.t@6\.1 - in time$'
rm "$uncounted"
check env UNTIL=1 tests/check
is 'after UNTIL no test begins' "$status '$ran'" "0 ''"
like 'they are listed' "$(sed '1,/^Not begun/d' <<< "$said")" '^tests/guest/two\.t@6\.1$'

check tests/check --release
is '--release: the room of its own, and another test of the newest kernel' "$(sorted "$ran")" \
	"$(sorted "$(printf '%s\n' host/build.t host/release/{kinds,settings,two}.t guest/settings.t@"$newest")")"
is '--release: what is built is built for both kernels' "$(cat "$tmp/kernels")" "6.1 $newest"
check env KERNELS=6.1 tests/check --release
is '--release: other kernels are refused' "$status '$ran'" "2 ''"

check env KERNELS=6.1 FRESH=1 tests/check --all
is '--all: all tests pass' "$status" 0
like '--all: the slow tests run too' "$ran" '^guest/slow/kinds.t@6.1$'
table=$tmp/cache/trace_irqoff/check-all.table
is 'each test is in the table' "$(grep -c ' ok ' "$table")" 19
check env KERNELS=6.1 tests/check --all
is 'a test that passed is not run again' "$status '$ran'" "0 ''"
echo 'another document' > docs/design.md
check env KERNELS=6.1 tests/check --all
is 'a changed document runs no guest test again' "$(grep -c @ <<< "$ran")" 0
echo guest/two.t@6.1 > "$bad"
echo '/* changed */' >> module/version.h
check env KERNELS=6.1 tests/check --all
is 'changed code runs all of them again' "$(grep -c @ <<< "$ran") $status" '9 1'
rm "$bad"
check env KERNELS=6.1 tests/check --all
is 'a test that failed is not run again' "$status '$ran'" "1 ''"
like 'it stays in the table' "$(cat "$table")" '^6\.1 +tests/guest/two\.t +failed '
check env KERNELS=6.1 AGAIN=tests/guest/two.t@6.1 tests/check --all
is 'AGAIN runs it again' "$status $(grep @ <<< "$ran")" '0 guest/two.t@6.1'
find "$tmp/cache/trace_irqoff/verdicts" -name '*kinds*' -exec sed -i 's/ [0-9]*$/ 1000000000/' {} +
check env KERNELS=6.1 tests/check --all
is 'a test that passed is run again after a day' "$(grep -c /kinds.t@ <<< "$ran") $(grep -c /two.t@ <<< "$ran")" '3 0'
check env STRESS_SECONDS=5 KERNELS=6.1 tests/check --all
is 'other settings of the tests run all of them again' "$(grep -c @ <<< "$ran")" 9
done_testing
