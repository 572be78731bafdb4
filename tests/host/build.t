#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds, for every kernel under test, its root and in it the module, the stall module, the reader and the programs, without a
# warning.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh

for kernel in ${TRACE_IRQOFF_KERNELS:-$(scripts/kernels | awk '{ print $1 }')}; do
	ok "$kernel: everything for the guest builds" scripts/vm/build "$kernel"
done
done_testing
