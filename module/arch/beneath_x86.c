// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cache.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/processor.h>

#include "arch/beneath.h"

static bool counted __ro_after_init;

static bool read_count(u32 *low)
{
	u32 high;

	return !rdmsr_safe(MSR_SMI_COUNT, low, &high);
}

/**
 * tio_beneath_init() - find out whether CPUs count their system management interrupts
 *
 * Intel's do (MSR_SMI_COUNT, Intel SDM volume 4). None ever came where a hypervisor makes the
 * count up and hides itself: the firmware of hardware has some as it starts.
 *
 * Context: module init.
 */
void __init tio_beneath_init(void)
{
	u32 low;

	counted = tio_beneath() == TIO_BENEATH_FIRMWARE &&
		  boot_cpu_data.x86_vendor == X86_VENDOR_INTEL && read_count(&low) && low;
}

/**
 * tio_beneath() - what runs beneath the kernel
 *
 * Context: any.
 * Return: a hypervisor where the CPU has the bit for it.
 */
enum tio_beneath tio_beneath(void)
{
	return boot_cpu_has(X86_FEATURE_HYPERVISOR) ? TIO_BENEATH_HYPERVISOR :
						      TIO_BENEATH_FIRMWARE;
}

/**
 * tio_smis() - system management interrupts of this CPU
 *
 * Context: interrupts off.
 * Return: how many there were since it was reset; TIO_NO_SMIS where it counts none.
 */
u64 tio_smis(void)
{
	u32 low;

	return counted && read_count(&low) ? low : TIO_NO_SMIS;
}
