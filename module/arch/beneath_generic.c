// SPDX-License-Identifier: GPL-2.0-only
#ifdef CONFIG_ARM64
#include <asm/virt.h>
#endif

#include "arch/beneath.h"

/**
 * tio_beneath_init() - nothing to find out
 *
 * Context: module init.
 */
void tio_beneath_init(void)
{
}

/**
 * tio_beneath() - what runs beneath the kernel
 *
 * Context: any.
 * Return: firmware alone on arm64 where the kernel runs at EL2. Elsewhere it cannot be told.
 */
enum tio_beneath tio_beneath(void)
{
#ifdef CONFIG_ARM64
	if (is_kernel_in_hyp_mode())
		return TIO_BENEATH_FIRMWARE;
#endif
	return TIO_BENEATH_UNKNOWN;
}

/**
 * tio_smis() - system management interrupts of this CPU
 *
 * Context: any.
 * Return: TIO_NO_SMIS; none of these machines counts them.
 */
u64 tio_smis(void)
{
	return TIO_NO_SMIS;
}
