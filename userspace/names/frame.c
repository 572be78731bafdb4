// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "core/frame_rule.h"
#include "names/frame.h"

/* the module in "[MODULE]"; returns what follows */
static const char *take_module(const char *text, struct symbol *symbol)
{
	size_t len = strcspn(text, "]");

	snprintf(symbol->module, sizeof(symbol->module), "%.*s", (int)len, text);
	return text + len;
}

/* "symbol+0xoffset/0xsize [module]", the kernel's form of a frame, maybe with the mark */
static bool take_function(const char *text, struct symbol *symbol)
{
	size_t len = strcspn(text, " ");
	const char *plus = memrchr(text, '+', len), *rest = text + len;
	bool module = !strncmp(rest, " [", 2);

	if (!plus || plus == text || !strncmp(text, "0x", 2) ||
	    sscanf(plus, "+0x%llx/0x%llx", &symbol->offset, &symbol->size) != 2)
		return false;
	/* the position-independent startup code's alias of the same function */
	if (!module && !strncmp(text, "__pi_", 5) && plus > text + 5)
		text += 5;
	snprintf(symbol->name, sizeof(symbol->name), "%.*s", (int)(plus - text), text);
	if (module)
		rest = take_module(rest + 2, symbol);
	symbol->unloaded = strstr(rest, TIO_UNLOADED_MARK);
	return true;
}

/*
 * Code that is gone and has no name: "[module]+0xoffset", "[unloaded]", and from an older
 * trace_irqoff "[unloaded MODULE]"
 */
static void take_place(const char *text, struct symbol *symbol)
{
	static const char unloaded[] = "[unloaded";

	*symbol = (struct symbol){ .unloaded = true, .offset = NO_OFFSET };
	if (!strncmp(text, unloaded, strlen(unloaded))) {
		text += strlen(unloaded);
		take_module(text + (*text == ' '), symbol);
	} else if (*text == '[' &&
		   sscanf(take_module(text + 1, symbol), "]+0x%llx", &symbol->offset) != 1) {
		symbol->offset = NO_OFFSET;
	}
}

/* the name as trace_irqoff sends it; NULL: it says nothing */
static void take_apart(const char *text, struct symbol *symbol)
{
	*symbol = (struct symbol){ 0 };
	if (!text || !take_function(text, symbol))
		take_place(text ? text : "", symbol);
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

static bool sample_named(const struct entry *entry, const struct tio_sample *sample)
{
	for (unsigned int i = 0; i < sample->nframes; i++)
		if (!kernel_name(entry, sample->frames[i], false))
			return false;
	return true;
}

/**
 * frames_named() - did trace_irqoff send names for all frames of a record?
 * @entry: the record
 *
 * Return: false where it was not asked for all, or the message had no room.
 */
bool frames_named(const struct entry *entry)
{
	for (unsigned int i = 0; i < entry->rec.nsamples; i++)
		if (!sample_named(entry, &entry->rec.samples[i]))
			return false;
	return sample_named(entry, &entry->rec.end) &&
	       (!entry->rec.meanwhile.sample || sample_named(entry, entry->rec.meanwhile.sample));
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

/* is it the instruction that an interrupt or an exception came in on? */
static bool was_interrupted(const struct symbols *symbols, const struct tio_sample *sample,
			    unsigned int frame)
{
	struct symbol entry = { 0 };

	return symbols_find(symbols, sample->frames[frame - 1], false, &entry) &&
	       tio_is_entry(entry.name);
}

/**
 * frame_symbol() - the name of a frame
 * @symbols: from symbols_open()
 * @entry: a record
 * @sample: one of its samples, or its end
 * @frame: which frame, from the innermost
 * @symbol: the result; it is unloaded where the code is gone or was replaced, and has
 *	its name and module then if these are known
 */
void frame_symbol(const struct symbols *symbols, const struct entry *entry,
		  const struct tio_sample *sample, unsigned int frame, struct symbol *symbol)
{
	bool stale = sample->stale >> frame & 1;
	__u64 addr = sample->frames[frame];
	const char *text = kernel_name(entry, addr, frame);

	symbols = entry_symbols(symbols, entry);
	/* the kernel knows where code ends, and trace_irqoff what was there at the time */
	if (text) {
		take_apart(text, symbol);
		if (symbol->unloaded || !stale)
			return;
	}
	*symbol = (struct symbol){ 0 };
	/* within a function it does not matter what the address is */
	if (!stale && symbols_find(symbols, addr, false, symbol) &&
	    (symbol->offset || !frame || is_jump_target(symbols, sample, frame) ||
	     was_interrupted(symbols, sample, frame)))
		return;
	*symbol = (struct symbol){ 0 };
	if (stale || !symbols_find(symbols, addr, frame, symbol))
		take_apart(NULL, symbol);
}

static void drop_suffix(struct symbol *symbol)
{
	char *dot = *symbol->name ? strchr(symbol->name + 1, '.') : NULL;

	if (dot)
		*dot = '\0';
}

/**
 * frame_source() - a frame's function, by its name in the source
 * @symbols: names
 * @entry: a record
 * @sample: one of its samples, or its end
 * @frame: which frame, from the innermost
 * @symbol: the result, as of frame_symbol()
 *
 * Compilers append a suffix to functions that they split or specialize (.isra.0,
 * .constprop.0, .part.0, .cold). It begins with a dot, which no C function has in its
 * name.
 */
void frame_source(const struct symbols *symbols, const struct entry *entry,
		  const struct tio_sample *sample, unsigned int frame, struct symbol *symbol)
{
	frame_symbol(symbols, entry, sample, frame, symbol);
	drop_suffix(symbol);
}

/**
 * frame_function() - the name of a function that is in no stack
 * @symbols: from symbols_open()
 * @entry: the record that has its address
 * @addr: where it begins
 * @symbol: the result, as of frame_symbol()
 *
 * trace_irqoff sends its name, and knows whether the code is gone.
 */
void frame_function(const struct symbols *symbols, const struct entry *entry, __u64 addr,
		    struct symbol *symbol)
{
	const char *text = kernel_name(entry, addr, false);

	symbols = entry_symbols(symbols, entry);
	*symbol = (struct symbol){ 0 };
	if (text || !symbols_find(symbols, addr, false, symbol))
		take_apart(text, symbol);
}

/**
 * frame_function_source() - the same, by its name in the source
 * @symbols: from symbols_open()
 * @entry: the record that has its address
 * @addr: where it begins
 * @symbol: the result, as of frame_source()
 */
void frame_function_source(const struct symbols *symbols, const struct entry *entry, __u64 addr,
			   struct symbol *symbol)
{
	frame_function(symbols, entry, addr, symbol);
	drop_suffix(symbol);
}

/**
 * frame_variable() - the name of what a record has the address of, and is no code
 * @symbols: from symbols_open()
 * @entry: the record
 * @addr: the address
 * @percpu: it is of a per-CPU variable, which the names may have
 * @symbol: the result
 *
 * trace_irqoff sends the names of variables.
 *
 * Return: false where there is no name, as of memory that was allocated.
 */
bool frame_variable(const struct symbols *symbols, const struct entry *entry, __u64 addr,
		    bool percpu, struct symbol *symbol)
{
	const char *text = kernel_name(entry, addr, false);

	*symbol = (struct symbol){ 0 };
	if (text)
		take_apart(text, symbol);
	else if (percpu)
		symbols_find(entry_symbols(symbols, entry), addr, false, symbol);
	/* behind the variables of a CPU lies memory that was allocated for it */
	if (!strcmp(symbol->name, "__per_cpu_end"))
		*symbol = (struct symbol){ 0 };
	return *symbol->name;
}
