#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# README.md shows the table of tests/matrix: no kernel leaves or joins the one without the other.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh

rows=$(tests/matrix --rows)
# shown FILE: kernel and model of each row of the table in it
shown() {
	sed -n '/^KERNEL  *PREEMPT /,/^```$/p' "$1" | sed '1d; $d' | awk '{ print $1, $2 }'
}

is "README.md's table has the rows of tests/matrix" "$(shown README.md)" "$rows"
is 'and each has all columns' \
	"$(sed -n '/^KERNEL  *PREEMPT /,/^```$/p' README.md | sed '$d' | awk '{ print NF }' | sort -u)" 10
is 'the kernels are those of scripts/kernels' "$(cut -d ' ' -f 1 <<< "$rows" | uniq)" \
	"$({ scripts/kernels; scripts/kernels --more; scripts/kernels --cross; } | awk '{ print $1 }')"
like 'some with a preemption model that they do not have by default' "$rows" '^6\.1 none$'
out=$(tests/matrix 0.1 2>&1)
is 'a row that there is not is refused' $? 2
like 'and told where to look' "$out" '--rows'
done_testing
