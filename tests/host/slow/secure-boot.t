#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A node of bookworm with Secure Boot: OVMF, Debian's shim, GRUB and stock kernel, and the packages as DKMS built them there. Before
# DKMS's key is enrolled the kernel refuses the module, which the reader and the unit tell; after that it loads, and works.
set -u
cd "$(dirname "$0")/../../.." || exit
. tests/host/tap.sh

ok 'a disk of signed parts' tests/secure-boot/disk
[ "$tap_failed" = 0 ] || { done_testing; exit 1; }
disk=$(tests/secure-boot/disk)

# boots STAGE [CERTIFICATE]: what the node prints is TAP, too
boots() {
	local status
	(exec setpriv --pdeathsig TERM tests/secure-boot/boot "$disk" "$@") | sed 's/^/    /'
	status=${PIPESTATUS[0]}
	is "where DKMS's key is $1" "$status" 0
}
boots refused
boots enrolled "$disk/mok.pub"
done_testing
