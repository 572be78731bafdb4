#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# For every kernel: its root, and in it the module, the stall module, the reader and the programs, without a warning.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/harness/tap.sh

while read -r kernel _; do
	ok "$kernel: everything for the guest builds" scripts/vm/build "$kernel"
done < <(scripts/kernels)
done_testing
