#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds, for every kernel under test, its root and in it the module, the stall module, the reader and the programs, without a
# warning. A kernel that lacks what nothing replaces is refused by one sentence; here it is the first one with other headers.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh

# Several tests use it. Two of them that made it at once would write the same files.
ok 'the reader builds' make -s tools
for kernel in ${TRACE_IRQOFF_KERNELS:-$(scripts/kernels | awk '{ print $1 }')}; do
	ok "$kernel: everything for the guest builds" scripts/vm/build "$kernel"
done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
copy_files "$tmp" Kbuild module
root=$(scripts/vm/root "$(scripts/kernels | awk 'NR == 1 { print $1 }')")
# refused FILE WORD [VARIABLE=VALUE]: what make says where no header FILE has WORD
refused() {
	# shellcheck disable=SC2016 # the inner shell expands these
	scripts/vm/inroot "$root" "$tmp" sh -c '
		find /usr/src -path "*/include/linux/$1" -exec sed -i "s/\b$2\b/gone/" {} +
		make -C /lib/modules/*/build M=/mnt ${3:+"$3"} modules
		echo "make: $?"' sh "$@" 2>&1
}
out=$(refused hrtimer.h HRTIMER_MODE_REL_PINNED_SOFT)
like 'a kernel without soft hrtimers is refused' "$out" '^make: 2$'
is 'by one sentence' "$(grep -c 'trace_irqoff needs hrtimers' <<< "$out") $(grep -c 'error:' <<< "$out")" '1 0'
out=$(refused sched.h softirq_disable_cnt CONFIG_PREEMPT_RT=y)
is 'so is a PREEMPT_RT that is too old' "$(grep -c 'trace_irqoff needs a PREEMPT_RT' <<< "$out") $(grep -c 'error:' <<< "$out")" '1 0'
done_testing
