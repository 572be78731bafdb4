#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# docs/compat/README.md's tables have the rows of tests/matrix and tests/compat, so that neither gains or loses a kernel without the
# other, and README.md has some of them.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh

rows=$(tests/matrix --rows)
# shown FILE: prints kernel and model of each row of the table in FILE
shown() {
	sed -n '/^KERNEL  *PREEMPT /,/^```$/p' "$1" | sed '1d; $d' | awk '{ print $1, $2 }'
}

is "the table has the rows of tests/matrix" "$(shown docs/compat/README.md)" "$rows"
is 'and each has all columns' \
	"$(sed -n '/^KERNEL  *PREEMPT /,/^```$/p' docs/compat/README.md | sed '$d' | awk '{ print NF }' | sort -u)" 10
is 'the kernels are those of scripts/kernels' "$(cut -d ' ' -f 1 <<< "$rows" | uniq)" \
	"$({ scripts/kernels; scripts/kernels --more; scripts/kernels --cross; } | awk '{ print $1 }')"
like 'some rows have a preemption model that is not the default' "$rows" '^6\.1 none$'
table=$(tests/compat --table)
# proven FILE: prints the table of proven lines in FILE
proven() {
	sed -n '/^LINE  *KERNEL /,/^```$/p' "$1" | sed '$d'
}
is "docs/compat/README.md's table of lines is that of tests/compat.json" "$(proven docs/compat/README.md)" "$table"
is 'README.md has three lines of it, in its order' "$(grep -c . <<< "$(proven README.md)"): $(proven README.md)" \
	"4: $(grep -Fx "$(proven README.md)" <<< "$table")"
like 'README.md says how many were booted' "$(cat README.md)" \
	"on $(sed 1d <<< "$table" | awk -F '  +' '$5 != "no"' | wc -l) kernels"
is "docs/hardware.md's table is that of docs/hardware" "$(sed -n '/^NAME  *KERNEL /,/^```$/p' docs/hardware.md | sed '$d')" "$(tests/hardware --table)"
out=$(tests/matrix 0.1 2>&1)
is 'an unknown row is refused' $? 2
like 'and the message names --rows' "$out" '--rows'
done_testing
