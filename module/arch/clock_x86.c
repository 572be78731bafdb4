// SPDX-License-Identifier: GPL-2.0-only
#include "arch/clock.h"

/* ns = cycles * tio_cycles_mult >> 22: exact to 1e-6, and in 32 bits from 2 MHz up */
u32 tio_cycles_mult __read_mostly;

/**
 * tio_clock_init() - learn how long a cycle is
 *
 * Context: module init.
 */
void tio_clock_init(void)
{
	if (tsc_khz)
		tio_cycles_mult = div_u64((u64)USEC_PER_SEC << 22, tsc_khz);
}

/**
 * tio_clock_steady() - can cycles be converted to ns?
 *
 * Mostly the kernel distrusts the TSC because CPUs disagree, which does not matter
 * here. Without CONSTANT_TSC its rate may change as well.
 *
 * Context: any.
 * Return: true when they can.
 */
bool tio_clock_steady(void)
{
	return tsc_khz && (boot_cpu_has(X86_FEATURE_CONSTANT_TSC) ||
			   !check_tsc_unstable());
}

/**
 * tio_clock_agrees() - can the cycles of two CPUs be compared?
 *
 * Context: any.
 * Return: true while the kernel itself trusts the TSC.
 */
bool tio_clock_agrees(void)
{
	return tsc_khz && !check_tsc_unstable();
}
