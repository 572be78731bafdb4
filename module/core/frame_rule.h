/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules for names of frames that module and reader share. Pure. */
#ifndef _TIO_FRAME_RULE_H
#define _TIO_FRAME_RULE_H

#ifdef __KERNEL__
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stdbool.h>
#include <string.h>
#endif
#include "compat/entry_names.h"

/*
 * Is this the name of a retpoline, maybe with an alias's prefix such as __pi_? A
 * retpoline puts the function that it jumps to where the unwinder looks for a return
 * address. Above a retpoline a frame at offset 0 is therefore that function, and not
 * the end of the function before it.
 */
static inline bool tio_is_retpoline(const char *name)
{
	return strstr(name, "__x86_indirect_thunk");
}

/*
 * Is this the name of code that an interrupt or an exception enters by, below the frame
 * that it interrupted? That frame is the interrupted instruction itself. All other ones
 * but the innermost are return addresses, which belong to the call before them.
 */
static inline bool tio_is_entry(const char *name)
{
	/* these are called by an entry, and switch to the stack of interrupts (v5.10) */
	if (!strncmp(name, "asm_call_", 9) || strstr(name, "_handler"))
		return false;
	return !strncmp(name, "asm_", 4) || !strncmp(name, "el1h_64_", 8) ||
	       !strncmp(name, "el1_irq", 7) || !strncmp(name, "el1_sync", 8) ||
	       tio_is_old_entry(name);
}

/*
 * BPF programs come and go, and the kernel tells no module of it. So nobody knows whether
 * the program whose name an address has now is the one that was there when the stack was
 * taken. Such a name is marked: the module's place in it says that it may be wrong.
 */
#define TIO_BPF_MARK	"bpf?"

/*
 * Is this the name that the kernel gives to an address in generated code of BPF? Its own
 * functions have names like bpf_prog_put and bpf_trampoline_link_prog: here a program's
 * tag of 16 hexadecimal digits, or a trampoline's number, comes next.
 */
static inline bool tio_is_bpf(const char *name)
{
	static const char program[] = "bpf_prog_", trampoline[] = "bpf_trampoline_";

	if (!strncmp(name, program, sizeof(program) - 1))
		return strspn(name + sizeof(program) - 1, "0123456789abcdef") == 16;
	if (!strncmp(name, trampoline, sizeof(trampoline) - 1))
		return strspn(name + sizeof(trampoline) - 1, "0123456789") > 0;
	/* an operation of a struct_ops map */
	return !strncmp(name, "bpf__", 5);
}

/* code that is gone: behind its name, or its module and the offset there; else instead */
#define TIO_UNLOADED_MARK	" (unloaded)"
#define TIO_UNLOADED	"[unloaded]"

#endif /* _TIO_FRAME_RULE_H */
