/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of the code that interrupts and exceptions entered x86 by, before "x86/idtentry:
 * Provide macros to define/declare IDT entry points" (v5.8) began to give them all the prefix
 * asm_. The reader, which may show what another kernel recorded, knows them always.
 */
#ifndef _TIO_COMPAT_ENTRY_NAMES_H
#define _TIO_COMPAT_ENTRY_NAMES_H

#ifdef __KERNEL__
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stdbool.h>
#include <string.h>
#endif

static inline bool tio_is_old_entry(const char *name)
{
#if !defined(__KERNEL__) || (defined(CONFIG_X86) && !defined(HAVE_IDTENTRY))
	/* common_interrupt is a function since; what it returns to is named alike either way */
	static const char * const names[] = {
		"common_interrupt", "ret_from_intr", "apic_timer_interrupt", "reschedule_interrupt",
		"call_function_interrupt", "call_function_single_interrupt", "irq_work_interrupt",
		"x86_platform_ipi", "thermal_interrupt", "threshold_interrupt",
		"deferred_error_interrupt", "error_interrupt", "spurious_interrupt",
		"hypervisor_callback", "xen_hvm_callback_vector", "hyperv_callback_vector",
		"hyperv_reenlightenment_vector", "hv_stimer0_callback_vector",
		"kvm_async_pf_vector", "page_fault", "async_page_fault", "general_protection",
		"invalid_op", "int3", "debug", "device_not_available",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
#endif
	return false;
}

#endif /* _TIO_COMPAT_ENTRY_NAMES_H */
