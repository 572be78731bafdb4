// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function that left by a jump (a tail call) has no frame: what it jumped to returns to
 * its caller. But the call instruction before the return address names it, where that
 * calls directly: trace_irqoff reads it off the kernel's text (CALLS).
 */
#include <json-c/linkhash.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/say.h"
#include "core/frame_rule.h"
#include "names/frame.h"
#include "names/function_roles.h"
#include "names/stack_functions.h"

/* a stack that was seen lately, and what it was made of */
struct known {
	struct trace *trace;
	unsigned int nframes;
	bool calls;
	__u64 stale;
	size_t nnames;
	struct kernel_name *names;	/* those of its record; equal texts are one */
	__u64 addrs[];		/* the frames, and what their calls call */
};

/* most stacks are equal to one that came before; which ones are known is bounded */
#define KNOWN		4096
#define ADDRESSES	2048	/* a power of two */

/* an address, and the function there; NULL: nothing is known of it yet */
struct address {
	__u64 addr;
	const struct function *function;
};

/* what is kept with the symbols */
struct memo {
	struct lh_table *functions;
	struct known *known[KNOWN];
	struct address inside[ADDRESSES];	/* in a function, behind its begin */
	struct address begins[ADDRESSES];	/* what calls call */
	struct function none;	/* of an address that is no function's begin */
};

static unsigned long hash_function(const void *key)
{
	const struct function *function = key;

	return hash_bytes(function->name, strlen(function->name),
			  hash_bytes(function->module, strlen(function->module),
				     function->unnamed));
}

static int equal_functions(const void *a, const void *b)
{
	const struct function *left = a, *right = b;

	return left->unnamed == right->unnamed && !strcmp(left->name, right->name) &&
	       !strcmp(left->module, right->module);
}

static void forget_function(struct lh_entry *entry)
{
	struct function *function = (void *)lh_entry_k(entry);

	free((void *)function->name);
	free((void *)function->module);
	free((void *)function->text);
	free(function);
}

static void forget_known(struct known *known)
{
	if (known) {
		free(known->trace);
		free(known->names);
	}
	free(known);
}

static void forget(void *bytes)
{
	struct memo *memo = bytes;

	lh_table_free(memo->functions);
	for (size_t i = 0; i < KNOWN; i++)
		forget_known(memo->known[i]);
	free(memo);
}

static struct memo *memo_of(const struct symbols *symbols)
{
	struct memo *memo = symbols_memo(symbols);

	if (memo)
		return memo;
	memo = alloc(1, sizeof(*memo));
	memo->functions = or_exit(lh_table_new(KNOWN, forget_function, hash_function,
					       equal_functions));
	symbols_keep(symbols, memo, forget);
	return memo;
}

/* a module's functions are its own, but for copies of what the kernel's headers have inline */
static void find_roles(struct function *function)
{
	const char *name = function->name;

	function->helper = !function->bpf && role_is_inline(name);
	if (!function->core)
		return;
	function->entry = tio_is_entry(name);
	function->spinning = role_is_spinning(name);
	function->helper |= role_is_helper(name);
	function->plumbing = role_is_plumbing(name);
	function->softirq_loop = role_is_softirq_loop(name);
	function->irq_entry = role_is_irq_entry(name);
	function->dispatcher = role_is_dispatcher(name);
	function->calls_in_section = role_calls_in_section(name);
	function->everybodys = role_is_everybodys(name);
	function->unlock = role_is_unlock(name);
	function->kthread = !strcmp(name, "kthread");
	function->calls_handler = role_calls_handler(name);
	function->wait = role_wait(name);
	function->rwlock = role_rwlock(name);
}

static const struct function *function_of(struct memo *memo, const struct symbol *symbol)
{
	char text[SYMBOL_TEXT_LEN];
	const char *as_text = print_function(text, symbol);
	/* code that is gone is known by its place where it has no name */
	const struct function wanted = {
		.name = *symbol->name ? symbol->name : as_text,
		.module = symbol->module,
		.unnamed = !*symbol->name,
	};
	unsigned long code = lh_get_hash(memo->functions, &wanted);
	struct lh_entry *found = lh_table_lookup_entry_w_hash(memo->functions, &wanted, code);
	struct function *function;

	if (found)
		return lh_entry_k(found);
	function = alloc(1, sizeof(*function));
	*function = (struct function){
		.name = copy_text(wanted.name),
		.module = copy_text(symbol->module),
		.text = copy_text(as_text),
		.unnamed = wanted.unnamed,
		.bpf = !strcmp(symbol->module, TIO_BPF_MARK),
		.core = symbol_is_core(symbol),
		.tracer = symbol_is_tracer(symbol),
	};
	find_roles(function);
	if (lh_table_insert_w_hash(memo->functions, function, function, code,
				   JSON_C_OBJECT_ADD_KEY_IS_NEW))
		exit(failed("out of memory"));
	return function;
}

/* what the kernel's kallsyms calls the padding before a function, where calls may lead */
static const char padding[] = "__pfx_";

static struct address *address_of(struct address known[ADDRESSES], __u64 addr)
{
	__u64 mixed = addr * 0x9e3779b97f4a7c15ULL;

	return &known[mixed >> 32 & (ADDRESSES - 1)];
}

/* the function that begins at an address, by the names alone or those that a record brings */
static const struct function *find_begin(struct memo *memo, const struct symbols *symbols,
					 const struct entry *entry, __u64 target)
{
	struct symbol symbol;
	bool padded;

	frame_function_source(symbols, entry, target, &symbol);
	padded = !strncmp(symbol.name, padding, strlen(padding));
	if (symbol.unloaded || (symbol.offset && !padded))
		return NULL;
	if (padded)
		memmove(symbol.name, symbol.name + strlen(padding),
			strlen(symbol.name + strlen(padding)) + 1);
	return function_of(memo, &symbol);
}

/*
 * The function that begins at what a call calls; NULL where it is none. Then the bytes
 * before the return address were no call, or the code has changed since.
 */
static const struct function *called(struct memo *memo, const struct symbols *symbols,
				     const struct entry *entry, __u64 target)
{
	struct address *known = address_of(memo->begins, target);

	if (entry->nnames)
		return find_begin(memo, symbols, entry, target);
	if (!known->function || known->addr != target) {
		known->addr = target;
		known->function = find_begin(memo, symbols, entry, target);
		if (!known->function)
			known->function = &memo->none;
	}
	return known->function != &memo->none ? known->function : NULL;
}

/* what a frame is in */
struct spot {
	const struct function *function;
	bool begin;	/* its address is where the function begins */
	bool gone;	/* the code is not there any more */
};

static struct spot spot_of(struct memo *memo, const struct symbols *symbols,
			   const struct entry *entry, const struct tio_sample *sample,
			   unsigned int frame)
{
	struct address *known = address_of(memo->inside, sample->frames[frame]);
	bool stale = sample->stale >> frame & 1;
	bool names = entry->nnames || stale;
	struct symbol symbol;
	struct spot spot;

	if (!names && known->function && known->addr == sample->frames[frame])
		return (struct spot){ .function = known->function };
	frame_source(symbols, entry, sample, frame, &symbol);
	spot = (struct spot){
		.function = function_of(memo, &symbol),
		.begin = !symbol.offset,
		.gone = symbol.unloaded,
	};
	/* where a function begins, it depends on the frame inside whose the address is */
	if (!names && !spot.begin && !spot.gone)
		*known = (struct address){ sample->frames[frame], spot.function };
	return spot;
}

/*
 * The function between two frames that left by a jump, where one did. It says nothing if
 * it only serves others: thunks, and what traces functions, are called so as well. A BPF
 * program's text may be another one's by now.
 */
static const struct function *left(struct memo *memo, const struct symbols *symbols,
				   const struct entry *entry, __u64 target,
				   const struct step *inside, const struct function *caller)
{
	const struct function *function;

	if (!target || inside->function->entry || caller->unnamed || caller->bpf)
		return NULL;
	function = called(memo, symbols, entry, target);
	if (!function || function_same(function, inside->function) ||
	    function_serves(function) || function->bpf || function->tracer)
		return NULL;
	return function;
}

static struct step *add(struct trace *trace, const struct function *function, __u64 addr,
			int frame)
{
	struct step *step = &trace->steps[trace->nsteps++];

	*step = (struct step){ .function = function, .addr = addr, .frame = frame };
	/* counts the steps before the first one of its kind */
	trace->irq_entry += trace->irq_entry == trace->nsteps - 1 && !function->irq_entry;
	trace->softirq_loop += trace->softirq_loop == trace->nsteps - 1 && !function->softirq_loop;
	trace->tracer |= function->tracer;
	return step;
}

static void build(struct trace *trace, struct memo *memo, const struct symbols *symbols,
		  const struct entry *entry, const struct tio_sample *sample)
{
	const struct function *jumped;
	struct step *inside = NULL;

	for (unsigned int i = 0; i < sample->nframes; i++) {
		struct spot spot = spot_of(memo, symbols, entry, sample, i);
		__u64 target = sample->calls ? sample->calls[i] : 0;

		/* what a retpoline jumps to is no return address */
		if (i == 1 && spot.begin && tio_is_retpoline(inside->function->name))
			target = 0;
		/* the text that was looked at is not that of the time */
		if (spot.gone)
			target = 0;
		jumped = inside ? left(memo, symbols, entry, target, inside, spot.function) :
				  NULL;
		if (jumped)
			add(trace, jumped, target, NO_FRAME);
		inside = add(trace, spot.function, sample->frames[i], i);
	}
}

static size_t names_bytes(const struct entry *entry)
{
	return entry->nnames * sizeof(*entry->names);
}

/* the place of a stack among those that are known; records share equal ones (pool.h) */
static struct known **place_of(struct memo *memo, const struct entry *entry,
			       const struct tio_sample *sample)
{
	const void *shared[] = { sample->frames, sample->calls };
	unsigned long code = hash_bytes(shared, sizeof(shared), 0);

	if (entry->nnames)
		code = hash_bytes(entry->names, names_bytes(entry), code);
	return &memo->known[code % KNOWN];
}

/* the record itself says what some of its frames are called */
static bool is_known(const struct known *known, const struct entry *entry,
		     const struct tio_sample *sample, size_t bytes)
{
	return known && known->nframes == sample->nframes && known->calls == !!sample->calls &&
	       known->stale == sample->stale &&
	       known->nnames == entry->nnames &&
	       !memcmp(known->addrs, sample->frames, bytes) &&
	       (!sample->calls || !memcmp(known->addrs + known->nframes, sample->calls, bytes)) &&
	       (!entry->nnames || !memcmp(known->names, entry->names, names_bytes(entry)));
}

static size_t trace_bytes(const struct trace *trace)
{
	return offsetof(struct trace, steps) + trace->nsteps * sizeof(*trace->steps);
}

static struct known *remember(const struct trace *trace, const struct entry *entry,
			      const struct tio_sample *sample, size_t bytes)
{
	struct known *known = alloc(1, sizeof(*known) + (sample->calls ? 2 : 1) * bytes);

	known->nframes = sample->nframes;
	known->calls = sample->calls;
	known->stale = sample->stale;
	memcpy(known->addrs, sample->frames, bytes);
	if (sample->calls)
		memcpy(known->addrs + sample->nframes, sample->calls, bytes);
	known->nnames = entry->nnames;
	if (entry->nnames) {
		known->names = alloc(entry->nnames, sizeof(*known->names));
		memcpy(known->names, entry->names, names_bytes(entry));
	}
	known->trace = alloc(1, trace_bytes(trace));
	memcpy(known->trace, trace, trace_bytes(trace));
	return known;
}

/**
 * trace_of() - a stack as functions
 * @trace: the result; its functions live as long as @symbols
 * @symbols: names; a record of a capture has its own
 * @entry: a record
 * @sample: one of its samples, or its end
 */
void trace_of(struct trace *trace, const struct symbols *symbols, const struct entry *entry,
	      const struct tio_sample *sample)
{
	size_t bytes = sample->nframes * sizeof(*sample->frames);
	struct known **place;
	struct memo *memo;

	memset(trace, 0, offsetof(struct trace, steps));
	if (!sample->nframes)
		return;
	symbols = entry_symbols(symbols, entry);
	memo = memo_of(symbols);
	place = place_of(memo, entry, sample);
	if (is_known(*place, entry, sample, bytes)) {
		memcpy(trace, (*place)->trace, trace_bytes((*place)->trace));
		return;
	}
	build(trace, memo, symbols, entry, sample);
	forget_known(*place);
	*place = remember(trace, entry, sample, bytes);
}

/**
 * trace_has() - was a stack taken in a function?
 * @trace: the stack
 * @from: the innermost step to look at
 * @to: the outermost one
 * @function: the function
 */
bool trace_has(const struct trace *trace, int from, int to, const struct function *function)
{
	for (int i = from; i <= to; i++)
		if (function_same(trace->steps[i].function, function))
			return true;
	return false;
}

/**
 * trace_frame() - the function of one frame
 * @symbols: names; a record of a capture has its own
 * @entry: a record
 * @sample: one of its samples, or its end
 * @frame: which frame, from the innermost
 * @gone: set to whether its code is gone
 *
 * Return: the function, which lives as long as @symbols.
 */
const struct function *trace_frame(const struct symbols *symbols, const struct entry *entry,
				   const struct tio_sample *sample, unsigned int frame, bool *gone)
{
	struct spot spot;

	symbols = entry_symbols(symbols, entry);
	spot = spot_of(memo_of(symbols), symbols, entry, sample, frame);
	*gone = spot.gone;
	return spot.function;
}
