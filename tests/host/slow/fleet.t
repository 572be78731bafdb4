#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The Debian packages of bookworm: built, judged by lintian, installed, upgraded and purged in a root, and on a booted node. `make
# fleet-check` has the other suites.
set -u
cd "$(dirname "$0")/../../.." || exit
. tests/host/tap.sh

out=$(tests/fleet/run bookworm 2>&1)
status=$?
diag "$out"
is 'the packages of bookworm' "$status" 0
like 'they are built, live in a root, and boot' "$out" '^bookworm +yes +yes +yes '
done_testing
