#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh

checks=$(scripts/lint --list)
like 'there are checks' "$checks" '^spdx '
for check in $checks; do
	out=$(scripts/lint "$check" 2>&1)
	is "$check" $? 0
	[ -z "$out" ] || diag "$out"
done
done_testing
