#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# tests/check: which tests each level runs, in which order, what a person sees of it, how it ends, and which tests a resumed run
# skips. It runs on a tree whose tests do nothing but log that they ran.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

mkdir -p "$tmp/tree/docs" "$tmp/cache"
copy_files "$tmp/tree" scripts/common.sh scripts/kernels module/version.h tests/check tests/lib tests/guest-keeper tests/run-test
cd "$tmp/tree" || exit
mkdir -p scripts/vm
# what tests/check needs is installed; these tests need no packages and no kernels
printf '#!/bin/sh\n' > scripts/setup
# shellcheck disable=SC2016 # the script expands it
printf '#!/bin/sh\necho "root of $1"\n' > scripts/vm/root
printf '#!/bin/sh\necho echo\n' > scripts/vm/qemu
chmod +x scripts/setup scripts/vm/*
# what a person sees after 20 s, a test need not wait for
sed -i 's/SILENCE_S => 20;/SILENCE_S => 2;/' tests/lib/Progress.pm
grep -q 'SILENCE_S => 2;' tests/lib/Progress.pm || exit
# this machine may do anything meanwhile
printf 'package Machine; sub is_idle { return -e "%s" } 1;\n' "$tmp/idle" > tests/lib/Machine.pm
# Tests whose names are in these files: failed ones, one each that fails without counting, hangs for a while, is not decided the first
# time or at all; two that meet fail unless they run at the same time.
echo 1 > "$tmp/virtual"
bad=$tmp/bad uncounted=$tmp/uncounted slow=$tmp/slow once=$tmp/once never=$tmp/never meet=$tmp/meet
fake() { # fake ROOM NAME...
	local name
	mkdir -p "tests/$1"
	for name in "${@:2}"; do
		cat > "tests/$1/$name.t" <<-END
			#!/bin/sh
			test=$1/$name.t\${TRACE_IRQOFF_KERNEL:+@\$TRACE_IRQOFF_KERNEL}
			echo "\$test" >> $tmp/ran
			echo \$TRACE_IRQOFF_KERNELS > $tmp/kernels
			late() { printf '%s\n' 'not ok 1 - in time' "# timed: the host took 63.0 % of 1.0 s from \$(cat $tmp/virtual) virtual CPUs" 1..1; exit 1; }
			! grep -qsx "\$test" $never || late
			! grep -qsx "\$test" $once || [ "\$(grep -cx "\$test" $tmp/ran)" != 1 ] || late
			! grep -qsx "\$test" $uncounted || exec printf '%s\n' 'ok 1 - in time # skip failed, uncounted' 1..1
			! grep -qsx "\$test" $slow || {
				echo '# it takes long'
				for tenth in \$(seq 1200); do
					! grep -qs '^ *now .*it takes long' $tmp/said || break
					sleep 0.1
				done
			}
			if grep -qsx "\$test" $meet; then
				for tenth in \$(seq 3000); do
					[ "\$(grep -xc -f $meet $tmp/ran)" != 2 ] || break
					sleep 0.1
				done
				[ "\$tenth" != 3000 ] || echo not ok 1 - met
			fi
			! grep -qsx "\$test" $bad || { printf '%s\n' 'not ok 1 - right' 1..1; exit 1; }
			echo ok
			echo 1..1
		END
		chmod +x "tests/$1/$name.t"
	done
}
fake host build dist dkms fuzz make two
fake host/release two
fake host/slow two
fake guest access control follow frames kinds names open reload ring save settings two
fake guest/live stress third two
fake guest/slow two
fake guest/debug irqsoff kunit kunit_judge two
fake guest/debug/slow two
mkdir -p tests/mutants
echo 'a document' > docs/install.md
git init -q .
git add -A
git -c user.name=x -c user.email=x@example.org commit -q -m x

jobs=1
# check ARGUMENT...: runs it; $ran lists the tests that ran, $said is the output, $status the exit status
check() {
	rm -f "$tmp/ran"
	touch "$tmp/ran"
	# nproc obeys this: with one job at a time, tests end in order
	env -u TRACE_IRQOFF_LOGS -u TRACE_IRQOFF_KERNEL -u TRACE_IRQOFF_GUESTS OMP_NUM_THREADS="$jobs" XDG_CACHE_HOME="$tmp/cache" "$@" > "$tmp/said" 2>&1
	status=$?
	ran=$(cat "$tmp/ran") said=$(cat "$tmp/said")
}
sorted() { sort <<< "$1" | tr '\n' ' '; }
newest=$(scripts/kernels | awk '{ print $1 }' | sort -V | tail -n 1)
oldest=$(scripts/kernels | awk '{ print $1 }' | sort -V | head -n 1)
first_debug=$(printf '%s\n' guest/{access,control,follow,kinds,live/stress,reload,ring}.t@6.1-debug guest/debug/{irqsoff,kunit,kunit_judge}.t@6.1-debug)
all_guest=$(printf '%s\n' access control follow frames kinds names open reload ring save settings two)

# --- make check
check SEED=1 tests/check
is 'all pass' "$status" 0
one=$ran
is 'check: this machine, a stock kernel, two tests of the newest, a part of the debug kernel' "$(sorted "$ran")" \
	"$(sorted "$(printf '%s\n' host/{build.t,dist.t,dkms.t@6.1,fuzz.t,make.t,two.t}; sed 's/.*/guest\/&.t@6.1/' <<< "$all_guest"
		printf '%s\n' guest/{kinds,settings}.t@"$newest"; echo "$first_debug")")"
is 'check: everything is built for the oldest and the newest kernel, too' "$(cat "$tmp/kernels")" "6.1 $oldest $newest 6.1-debug"
is 'what all others need is built first' "$(head -n 1 <<< "$ran")" host/build.t
count=$(wc -l <<< "$ran")
like 'a line as each test ends, with how many there are' "$said" "^ *$count of $count  ok +[0-9]+ s  (host|guest)/[a-z_/]+\.t"
is 'such a line for each' "$(grep -c "^ *[0-9]* of $count  ok" <<< "$said")" "$count"
like 'it says how many on how many CPUs' "$said" "^$count tests on 1 CPUs.*SEED=1\$"
like 'it prints the time of each' "$said" '^6\.1 +tests/guest/two\.t +ok +[0-9]+ '
like 'the last line counts' "$(tail -n 1 <<< "$said")" "^Tests: $count passed, 0 failed, 0 skipped\$"
passed=$tmp/cache/trace_irqoff/check/passed
like 'the commit that passed is kept, with the time' "$(cat "$passed")" "^$(git rev-parse HEAD) 20[0-9-]+T[0-9:]+Z\$"
check SEED=1 tests/check
is 'a seed repeats the order' "$(grep @ <<< "$ran")" "$(grep @ <<< "$one")"
like 'it says how long the rest takes, by last time' "$said" "^ *2 of $count .* [0-9]+ s left\$"
check SEED=2 tests/check
ok 'another seed gives another order' test "$(grep @ <<< "$ran")" != "$(grep @ <<< "$one")"
printf '%s\n' guest/kinds.t@6.1 guest/two.t@6.1 > "$meet"
jobs=2
check tests/check
is 'tests run at the same time' "$status" 0
rm "$meet"
jobs=1

lines=$(wc -l < "$passed")
echo guest/two.t@6.1 > "$bad"
check tests/check
is 'a failed test makes it fail' "$status" 1
like 'its line comes as it ends, and what failed' "$said" 'FAILED +[0-9]+ s  guest/two\.t@6\.1.*
    not ok 1 - right'
like 'its verdict is in the table' "$said" '^6\.1 +tests/guest/two\.t +failed '
like 'it prints the failure at the end' "$(tail -n 6 <<< "$said")" '^--- guest/two\.t@6\.1$'
is 'no commit has passed' "$(wc -l < "$passed")" "$lines"
echo '/* changed */' >> module/version.h
rm "$bad"
check tests/check
is 'a tree that is not a commit passes' "$status" 0
is 'and is kept as none' "$(wc -l < "$passed")" "$lines"
git checkout -q module/version.h
echo 100 > "$tmp/cache/trace_irqoff/times/tests+guest+two.t@6.1"
check tests/check
is 'the one that took longest comes first' "$(grep -m 1 '^guest/' <<< "$ran")" guest/two.t@6.1
echo guest/two.t@6.1 > "$uncounted"
check tests/check
is 'one that fails without counting fails nothing' "$status" 0
like 'it is printed' "$said" '^ +tests/guest/two\.t@6\.1: in time$'
rm "$uncounted"
echo guest/two.t@6.1 > "$slow"
check tests/check
like 'in a silence it says what runs, and how far that is' "$said" '^ +now +[0-9]+ s  guest/two\.t@6\.1: # it takes long$'
rm "$slow"

# --- what each level has
check env KERNELS="5.10 6.1-debug" tests/check
is 'KERNELS: all of guest/ on these' "$(sorted "$ran")" \
	"$(sorted "$(echo host/build.t; for kernel in 5.10 6.1-debug; do sed "s/.*/guest\/&.t@$kernel/" <<< "$all_guest"; printf '%s\n' guest/live/{stress,third,two}.t@$kernel; done
		printf '%s\n' guest/debug/{irqsoff,kunit,kunit_judge,two}.t@6.1-debug)")"
check tests/check --release
is '--release: packaging, speed, fuzzers, and one of the newest kernel' "$(sorted "$ran")" \
	"$(sorted "$(printf '%s\n' host/{build,dist,dkms,fuzz,make}.t host/release/two.t guest/settings.t@"$newest")")"
check env KERNELS=6.1 tests/check --release
is '--release: other kernels are refused' "$status '$ran'" "2 ''"
check tests/check --nonsense
is 'an unknown level is refused in one line' "$status $(wc -l <<< "$said")" '2 1'
check env KERNELS=0.1 tests/check
is 'an unknown kernel is refused' "$status" 2

# --- make check-full, and the host
check tests/check --full
is '--full: all pass' "$status" 0
is '--full: the rest' "$(sorted "$ran")" "$(sorted "$(printf '%s\n' host/{build,release/two}.t host/dkms.t@"$newest" guest/live/{stress,third,two}.t@6.1 \
	guest/{frames,names,open,save,settings,two,live/third,live/two,debug/two}.t@6.1-debug)")"
is 'live tests come last' "$(tail -n 3 <<< "$ran" | grep -c '^guest/live/.*@6.1$')" 3
table=$tmp/cache/trace_irqoff/check-full.table
is '--full: a table of its own tests' "$(grep -c ' ok ' "$table") $(wc -l <<< "$ran")" '15 15'
check tests/check --full
is '--full: nothing is run again' "$status '$ran'" "0 ''"
echo guest/live/two.t@6.1 > "$once"
again=(env AGAIN=tests/guest/live/two.t@6.1 tests/check --full)
check "${again[@]}"
is 'what is undecided runs once more, and may pass' "$status $(grep -c live <<< "$ran")" '0 2'
rm "$once"
echo guest/live/two.t@6.1 > "$never"
check "${again[@]}"
is 'if it is undecided again, the run is' "$status $(grep -c live <<< "$ran")" '3 2'
like 'it says so, how much the host took, and the command' "$said" '^guest/live/two\.t@6\.1: undecided, the host took 63 %; run: make check-full$'
like 'the last line counts it' "$(tail -n 1 <<< "$said")" '^Tests: 14 passed, 0 failed, 0 skipped, 1 undecided$'
rm "$never"
check tests/check --full
is 'it is not kept, as passed or otherwise' "$status $(tail -n 1 <<< "$ran")" '0 guest/live/two.t@6.1'
echo guest/live/two.t@6.1 > "$never"
touch "$tmp/idle"
check "${again[@]}"
is 'on an idle machine it failed' "$status" 1
like 'and it says why' "$said" 'this machine is idle, so the host is no reason: failed$'
rm "$tmp/idle"
echo 2 > "$tmp/virtual"
check "${again[@]}"
is 'a guest with more CPUs than the machine failed' "$status" 1
echo 1 > "$tmp/virtual"
printf '%s\n' guest/live/{stress,two}.t@6.1 > "$never"
check env AGAIN="tests/guest/live/two.t@6.1 tests/guest/live/stress.t@6.1" tests/check --full
is 'where more than a third of live files are undecided the run failed' "$status" 1
rm "$never"
echo guest/live/two.t@6.1 > "$bad"
check "${again[@]}"
is 'a failure that is not timed is none of the host' "$status" 1
rm "$bad"

# --- what make check does not know
echo guest/live/stress.t@6.1-debug > "$never"
check tests/check
is 'in make check, what the host is a reason for failed' "$status" 1
rm "$never"
check env AGAIN=guest/two.t@6.1 tests/check
is 'AGAIN is refused where no verdicts are kept' "$status '$ran'" "2 ''"
check env AGAIN=guest/tow.t@6.1 tests/check --full
is 'so is a test that there is none' "$status '$ran' $said" "2 '' check: AGAIN: this level has no guest/tow.t@6.1"
echo host/build.t > "$bad"
check tests/check
is 'where nothing builds, nothing else runs' "$status $ran" '1 host/build.t'
like 'that is said' "$said" '^Nothing builds, so nothing else is run\.$'
check env FRESH=1 tests/check --full
is 'so it is in make check-full' "$status $ran" '1 host/build.t'
like 'which counts it, beside the one of before' "$(tail -n 1 <<< "$said")" ' 2 failed, '
rm "$bad"
check tests/check --help
is 'the help is printed' "$status $(head -n 1 <<< "$said")" "0 $(sed -n '3s/^# //p' tests/check)"
printf '%s\n' guest/two.t@6.1 > "$slow"
env -u TRACE_IRQOFF_LOGS OMP_NUM_THREADS=1 XDG_CACHE_HOME="$tmp/cache" tests/check > "$tmp/first" 2>&1 &
for _ in $(seq 100); do
	! grep -qs 'tests on' "$tmp/first" || break
	sleep 0.1
done
check tests/check
is 'two at once: the second is refused' "$status $said" "1 check: another run of tests/check uses $PWD; wait for it, or end it"
kill -INT $!
wait $!
is 'a signal ends it' $? 130
rm "$slow"

# --- resuming
check env KERNELS=6.1 FRESH=1 tests/check --all
is '--all: all tests pass' "$status" 0
like '--all: the slow tests run too' "$ran" '^guest/slow/two.t@6.1$'
all=$(wc -l <<< "$ran")
table=$tmp/cache/trace_irqoff/check-all.table
is 'each test is in the table' "$(grep -c ' ok ' "$table")" "$all"
check env KERNELS=6.1 tests/check --all
is 'a test that passed is not run again' "$status '$ran'" "0 ''"
echo 'another document' > docs/install.md
mkdir -p userspace/man
echo 'another page' > userspace/man/irqoff.8
check env KERNELS=6.1 tests/check --all
is 'a changed document or manual page runs no guest test again' "$(grep -c @ <<< "$ran")" 0
echo guest/two.t@6.1 > "$bad"
echo '/* changed */' >> module/version.h
check env KERNELS=6.1 tests/check --all
of_kernel=$(grep -c @ <<< "$ran")
is 'changed code runs all of them again' "$of_kernel $status" '16 1'
rm "$bad"
check env KERNELS=6.1 tests/check --all
is 'a test that failed is not run again' "$status '$ran'" "1 ''"
like 'what failed in it is printed' "$said" '^--- guest/two\.t@6\.1 \(failed in an earlier run\)
    not ok 1 - right'
like '... and counted' "$said" '^Tests: [0-9]+ passed, 1 failed, 0 skipped$'
like 'it stays in the table' "$(cat "$table")" '^6\.1 +tests/guest/two\.t +failed '
check env KERNELS=6.1 AGAIN=guest/two.t@6.1 tests/check --all
is 'AGAIN runs it again' "$status $(grep @ <<< "$ran")" '0 guest/two.t@6.1'
find "$tmp/cache/trace_irqoff/verdicts" -name '*kinds*' -exec sed -i 's/ [0-9]*$/ 1000000000/' {} +
check env KERNELS=6.1 tests/check --all
is 'a test that passed is run again after a day' "$(grep -c /kinds.t@ <<< "$ran") $(grep -c /two.t@ <<< "$ran")" '1 0'
# a run that is stopped in the middle goes on there
echo '/* again */' >> module/version.h
echo guest/two.t@6.1 > "$slow"
echo 1 > "$tmp/cache/trace_irqoff/times/tests+guest+two.t@6.1"
rm -f "$tmp/ran"
env -u TRACE_IRQOFF_LOGS OMP_NUM_THREADS=1 XDG_CACHE_HOME="$tmp/cache" KERNELS=6.1 tests/check --all > "$tmp/first" 2>&1 &
for _ in $(seq 300); do
	! grep -qs 'now .*two' "$tmp/first" || break
	sleep 0.1
done
kill -INT $!
wait $!
rm "$slow"
like 'it says how far it was, and what goes on' "$(cat "$tmp/first")" '^stopped after [0-9]+ of [0-9]+ tests; KERNELS="6\.1" make check-all goes on there '
before=$(grep -vc guest/two.t@6.1 "$tmp/ran")
check env KERNELS=6.1 tests/check --all
is 'nothing that ended is run again' "$status $((before + $(grep -vc /build.t <<< "$ran")))" "0 $all"
check env STRESS_SECONDS=5 KERNELS=6.1 tests/check --all
is 'other settings of the tests run all of them again' "$(grep -c @ <<< "$ran")" "$of_kernel"
done_testing
