#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The reader takes 200,000 records of captures a second. Its work grows at most 2.3 times when the number of records doubles, also
# in the cases that used to be quadratic. 100,000 records take at most 110 MiB, and 190 where no two are alike.
#
# Work is counted in basic blocks, which are the same each time. They leave out what libraries do, so CPU time is measured, too.
# That grows faster than the work once caches overflow: from 50,000 records to 100,000 by 2.9 on a machine with 2 MiB of cache a
# core, where from 100,000 to 200,000 it doubles. What is quadratic grows by 4.
#
# CPU time hardly depends on other load of this machine, but other machines on the same host slow caches and clocks. So speed is
# measured by a yardstick: work of the same kind that is none of the reader's. If a time has grown too much, both are measured
# again, and the shortest counts.
set -u
cd "$(dirname "$0")/../../.." || exit
. tests/host/tap.sh

# least SCENARIO COMMAND RECORDS BEFORE: runs it once more; sets $ms to the shorter of BEFORE and the time now, and $kib,
# $found, $victims
least() {
	local now
	read -r now kib found victims _ <<< "$(tests/host/unit/speed "$1" "$2" "$3")"
	ms=$((${4:-0} > 0 && $4 < ${now:-0} ? $4 : ${now:-0}))
}

# blocks SCENARIO COMMAND RECORDS...: how many basic blocks it runs
blocks() {
	tests/host/unit/counted "$@" | tail -n 1
}

# grows SCENARIO COMMAND RECORDS [MIB]
grows() {
	local name="$1, $2" half=0 all=0 tries=8 half_blocks all_blocks
	half_blocks=$(blocks "$1" "$2" $(($3 / 2)))
	all_blocks=$(blocks "$1" "$2" "$3")
	ok "$name: $3 records take $all_blocks basic blocks, half of them $half_blocks" \
		test $((100 * all_blocks)) -le $((230 * half_blocks))
	while [ "$tries" -gt 0 ]; do
		tries=$((tries - 1))
		least "$1" "$2" $(($3 / 2)) "$half"
		half=$ms
		least "$1" "$2" "$3" "$all"
		all=$ms
		[ $((10 * all)) -gt $((35 * half)) ] || break
	done
	is "$name: all records" "${found:-0}" "$3"
	ok "$name: $3 records take $all ms, half of them $half" test $((10 * all)) -le $((35 * half))
	[ -z "${4:-}" ] || ok "$name: $((kib / 1024)) MiB of memory" test $((kib / 1024)) -le "$4"
}

ok 'the programs build' make -C tests/host/unit speed counted yardstick
like 'kallsyms is read if the module does not name a frame' "$(tests/host/unit/speed mixed report 32)" ' 32 0 names$'
like 'kallsyms is not read if there is none' "$(tests/host/unit/speed mixed report 0)" ' 0 0 nameless$'
grows mixed report 100000 110
grows mixed list 100000 110
grows mixed list-regularity 100000 110
grows mixed list-json 100000 110
grows mixed list-lines 20000
grows victims report 100000 110
ok "most of them are proved victims (${victims:-0})" test "${victims:-0}" -gt 90000
grows victims list 100000 110
grows groups report 100000 190
grows locks list-regularity 50000
grows groups report-json 100000 190
grows deep report 50000
grows drivers report 100000 110
grows softirqs report 100000
grows locks report 100000 110

# Merged captures: work as above, and memory that does not grow with their number.
half_blocks=$(blocks mixed merge 1000 20)
all_blocks=$(blocks mixed merge 1000 40)
ok "merge: 40 captures take $all_blocks basic blocks, half of them $half_blocks" test $((100 * all_blocks)) -le $((230 * half_blocks))
half_ms=0 all_ms=0 tries=4
while [ "$tries" -gt 0 ]; do
	tries=$((tries - 1))
	read -r _ ms half_kib _ <<< "$(tests/host/unit/speed mixed merge 1000 20)"
	half_ms=$((half_ms > 0 && half_ms < ms ? half_ms : ms))
	read -r _ ms all_kib found groups bytes <<< "$(tests/host/unit/speed mixed merge 1000 40)"
	all_ms=$((all_ms > 0 && all_ms < ms ? all_ms : ms))
	[ $((10 * all_ms)) -gt $((35 * half_ms)) ] || break
done
is 'merge: all records' "${found:-0}" 40000
ok "merge: 40 captures take $all_ms ms, half of them $half_ms" test $((10 * all_ms)) -le $((35 * half_ms))
# How much of the libraries is mapped varies by a megabyte. Twenty captures more would be twenty, if they were kept.
ok "merge: 40 captures take $all_kib KiB, half of them $half_kib" test $((10 * all_kib)) -le $((11 * half_kib + 10 * 1024))
diag "$groups groups, $bytes bytes a capture of 1000 records"

# A million records in a thousand captures. What one thread does in a second of its CPU is what one core can do.
read -r passed ms kib found groups _ <<< "$(tests/host/unit/speed mixed merge 1000 1000)"
is 'a thousand captures: all records' "${found:-0}" 1000000
ok "a thousand captures: $((kib / 1024)) MiB of memory" test $((kib / 1024)) -le 200
# While the yardstick takes 275 ms, a machine reads 270 a millisecond.
yardstick=275
tries=8
while [ "$tries" -gt 0 ]; do
	tries=$((tries - 1))
	yard=$(tests/host/unit/yardstick)
	read -r _ ms _ found _ <<< "$(tests/host/unit/speed mixed merge 1000 100)"
	yard=$(((yard + $(tests/host/unit/yardstick)) / 2))
	scaled=$((1000 * found * yard / yardstick / ms))
	[ "$scaled" -lt 200000 ] || break
done
ok "a thousand captures: $scaled records a second of CPU time, where the yardstick takes $yardstick ms" test "$scaled" -ge 200000
diag "$((1000 * found / ms)) a second on this machine now, where it takes $yard ms"
diag "the thousand took $passed ms"
done_testing
