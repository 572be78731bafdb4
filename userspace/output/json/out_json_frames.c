// SPDX-License-Identifier: GPL-2.0-only
/* Most stacks of a list are equal to one that came before, and take most of its bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/say.h"
#include "names/frame.h"
#include "output/json/out_json_frames.h"

#define KNOWN	1024	/* a power of two */

/* what the text of a stack depends on, where its record has no names of its own */
struct stack {
	const struct symbols *symbols;
	const __u64 *frames, *calls;	/* in the pool: equal ones are the same */
	__u64 stale;
	__u64 depth;
};

struct stack_text {
	struct stack of;
	char *bytes;
	size_t len;
};

struct json_stacks {
	struct stack_text texts[KNOWN];
};

/* functions that have no frame, with the index of the frame that called them */
static void put_jumps(struct json_text *text, const struct page *page, const struct entry *entry,
		      const struct tio_sample *sample)
{
	struct trace trace;

	trace_of(&trace, page->symbols, entry, sample);
	json_text_open(text, "left_by_jump", '[');
	for (int i = 0; i < trace.nsteps; i++) {
		if (trace.steps[i].frame != NO_FRAME)
			continue;
		json_text_open(text, NULL, '{');
		json_text_string(text, "function", trace.steps[i].function->text);
		json_text_number(text, "called_by_frame", trace.steps[i + 1].frame);
		json_text_close(text, '}');
	}
	json_text_close(text, ']');
}

/* as "0x%llx", which snprintf() takes long for: there are 60 in a record */
static const char *print_address(char buf[SYMBOL_TEXT_LEN], __u64 addr)
{
	char *at = buf + SYMBOL_TEXT_LEN - 1;

	*at = '\0';
	do {
		*--at = "0123456789abcdef"[addr & 15];
		addr >>= 4;
	} while (addr);
	*--at = 'x';
	*--at = '0';
	return at;
}

static void put_stack(struct json_text *text, const struct page *page, const struct entry *entry,
		      const struct tio_sample *sample)
{
	char buf[SYMBOL_TEXT_LEN];
	struct symbol symbol;

	json_text_open(text, "frames", '[');
	for (unsigned int i = 0; i < sample->nframes; i++) {
		frame_symbol(page->symbols, entry, sample, i, &symbol);
		json_text_string(text, NULL, print_symbol(buf, &symbol));
	}
	json_text_close(text, ']');
	json_text_open(text, "addresses", '[');
	for (unsigned int i = 0; i < sample->nframes; i++)
		json_text_string(text, NULL, print_address(buf, sample->frames[i]));
	json_text_close(text, ']');
	put_jumps(text, page, entry, sample);
}

/* as json_frames(), of a stack without names of its own */
static void put_known(struct json_text *text, struct json_stacks *known, const struct page *page,
		      const struct entry *entry, const struct tio_sample *sample)
{
	const struct stack of = {
		.symbols = entry_symbols(page->symbols, entry),
		.frames = sample->frames,
		.calls = sample->calls,
		.stale = sample->stale,
		.depth = text->depth,
	};
	struct stack_text *there = &known->texts[hash_bytes(&of, sizeof(of), 0) & (KNOWN - 1)];
	size_t from = text->len;

	if (!memcmp(&there->of, &of, sizeof(of))) {
		json_text_add(text, there->bytes, there->len);
		return;
	}
	put_stack(text, page, entry, sample);
	there->of = of;
	there->len = text->len - from;
	there->bytes = or_exit(realloc(there->bytes, there->len));
	memcpy(there->bytes, text->bytes + from, there->len);
}

/**
 * json_frames() - the stack of a sample: names, addresses, and functions that left by a jump
 * @text: where to; what is open has an item
 * @known: texts of stacks of the same model; NULL: none are kept
 * @page: the page
 * @entry: a record
 * @sample: one of its samples, or its end
 */
void json_frames(struct json_text *text, struct json_stacks *known, const struct page *page,
		 const struct entry *entry, const struct tio_sample *sample)
{
	if (known && sample->nframes && !entry->nnames)
		put_known(text, known, page, entry, sample);
	else
		put_stack(text, page, entry, sample);
}

struct json_stacks *json_stacks_new(void)
{
	return alloc(1, sizeof(struct json_stacks));
}

void json_stacks_free(struct json_stacks *known)
{
	for (size_t i = 0; known && i < KNOWN; i++)
		free(known->texts[i].bytes);
	free(known);
}
