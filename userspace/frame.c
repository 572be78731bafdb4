// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "frame.h"
#include "frame_rule.h"

/* parses "symbol+0xoffset/0xsize [module]", the kernel's form of a frame */
static bool take_apart(const char *text, struct symbol *symbol)
{
	size_t len = strcspn(text, " ");
	const char *plus = memrchr(text, '+', len), *open = strchr(text + len, '[');

	if (!plus || plus == text || !strncmp(text, "0x", 2) ||
	    sscanf(plus, "+0x%llx/0x%llx", &symbol->offset, &symbol->size) != 2)
		return false;
	/* the position-independent startup code's alias of the same function */
	if (!open && !strncmp(text, "__pi_", 5))
		text += 5;
	snprintf(symbol->name, sizeof(symbol->name), "%.*s", (int)(plus - text), text);
	if (open)
		snprintf(symbol->module, sizeof(symbol->module), "%.*s",
			 (int)strcspn(open + 1, " ]"), open + 1);
	return true;
}

/* parses "[unloaded MODULE]", by which trace_irqoff names the module that was there */
static void take_module(const char *text, struct symbol *symbol)
{
	static const char unloaded[] = "[unloaded ";
	const size_t len = strlen(unloaded);

	if (!strncmp(text, unloaded, len))
		snprintf(symbol->module, sizeof(symbol->module), "%.*s",
			 (int)strcspn(text + len, "]"), text + len);
}

/*
 * The name that trace_irqoff sent for an address. There may be two: that of an innermost
 * frame, which is the interrupted code itself, and that of a return address.
 */
static const char *kernel_name(const struct entry *entry, __u64 addr, bool returns)
{
	const char *found = NULL;

	for (size_t i = 0; i < entry->nnames && (returns || !found); i++)
		if (entry->names[i].addr == addr)
			found = entry->names[i].symbol;
	return found;
}

/* is it the function that a retpoline jumps to (frame_rule.h), and no return address? */
static bool is_jump_target(const struct symbols *symbols, const struct tio_sample *sample,
			   unsigned int frame)
{
	struct symbol symbol = { 0 };

	return frame == 1 && symbols_find(symbols, sample->frames[0], false, &symbol) &&
	       tio_is_retpoline(symbol.name) &&
	       symbols_find(symbols, sample->frames[1], false, &symbol) && !symbol.offset;
}

/**
 * frame_symbol() - the name of a frame
 * @symbols: from symbols_open()
 * @entry: a record
 * @sample: one of its samples, or its end
 * @frame: which frame, from the innermost
 * @symbol: the result; it is unloaded where the code is gone or was replaced, and has
 *	its module then if that is known
 */
void frame_symbol(const struct symbols *symbols, const struct entry *entry,
		  const struct tio_sample *sample, unsigned int frame, struct symbol *symbol)
{
	__u64 stale = entry->stale[entry_stack_index(entry, sample)];
	__u64 addr = sample->frames[frame];
	const char *text;

	*symbol = (struct symbol){ 0 };
	text = kernel_name(entry, addr, frame);
	if (!(stale >> frame & 1)) {
		bool returns = frame && !is_jump_target(symbols, sample, frame);

		if (symbols_find(symbols, addr, returns, symbol))
			return;
		if (text && take_apart(text, symbol))
			return;
	}
	*symbol = (struct symbol){ .unloaded = true };
	if (text)
		take_module(text, symbol);
}
