// SPDX-License-Identifier: GPL-2.0-only
/* Folded stacks: "frame;frame;frame nanoseconds", which flame graphs are drawn of. */
#include <json-c/linkhash.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "judge/stack_weights.h"
#include "model/charge.h"
#include "output/export.h"

#define FIRST_SIZE	64

/* a line as pointers to the texts of its frames, of which few are different in a capture */
struct run {
	__u64 ns;
	size_t count;
	const char *frames[SUMMARY_KEYS + 2 * TIO_FRAMES];	/* last: there are @count */
};

struct folded {
	FILE *out;
	struct first_frames first;
	struct lh_table *lines;	/* frames to __u64 */
	const struct page *page;	/* whose records are added */
	struct lh_table *runs;	/* of these records */
	struct pool *firsts;	/* the texts of their first frames */
	char *line;		/* the one that is being made */
	size_t len;
	size_t room;
};

/**
 * folded_parse_first() - "class,culprit"
 * @list: names of keys
 * @first: the keys, in this order
 *
 * Return: false where @list was none, or has a key twice.
 */
bool folded_parse_first(const char *list, struct first_frames *first)
{
	unsigned int seen = 0;

	*first = (struct first_frames){ 0 };
	do {
		enum summary_key key = summary_take_key(&list);

		if (key == SUMMARY_KEYS || seen & 1U << key)
			return false;
		seen |= 1U << key;
		first->keys[first->count++] = key;
	} while (*list++);
	return true;
}

static void free_line(struct lh_entry *line)
{
	free((void *)lh_entry_k(line));
	free((void *)lh_entry_v(line));
}

static void *folded_begin(FILE *out, const struct first_frames *first)
{
	struct folded *folded = alloc(1, sizeof(*folded));

	folded->out = out;
	folded->first = *first;
	folded->lines = or_exit(lh_kchar_table_new(FIRST_SIZE, free_line));
	return folded;
}

/* a name with a semicolon is no two frames; one without a letter is one all the same */
static void put_frame(struct folded *folded, const char *name)
{
	size_t len;
	char *at;

	if (!*name)
		name = "-";
	len = strlen(name);
	folded->line = grow_bytes(folded->line, &folded->room, folded->len + len + 2);
	if (folded->len)
		folded->line[folded->len++] = ';';
	at = memcpy(folded->line + folded->len, name, len + 1);
	while ((at = memchr(at, ';', folded->line + folded->len + len - at)))
		*at = ':';
	folded->len += len;
}

static const char *first_text(char *buf, size_t size, const struct entry *entry,
			      enum summary_key key)
{
	if (key == SUMMARY_CULPRIT)
		return charge_culprit(entry);
	return summary_key_text(buf, size, entry, key);
}

static void add_line(struct folded *folded, __u64 ns)
{
	__u64 *sum;
	void *found;

	if (lh_table_lookup_ex(folded->lines, folded->line, &found)) {
		sum = found;
		*sum += ns;
		return;
	}
	sum = alloc(1, sizeof(*sum));
	*sum = ns;
	if (lh_table_insert(folded->lines, copy_text(folded->line), sum))
		exit(failed("out of memory"));
}

static size_t run_bytes(const struct run *run)
{
	return run->count * sizeof(*run->frames);
}

static unsigned long hash_run(const void *key)
{
	const struct run *run = key;

	return hash_bytes(run->frames, run_bytes(run), 0);
}

static int same_runs(const void *a, const void *b)
{
	const struct run *left = a, *right = b;

	return left->count == right->count &&
	       !memcmp(left->frames, right->frames, run_bytes(left));
}

static void free_run(struct lh_entry *run)
{
	free((void *)lh_entry_k(run));
}

static void add_run(struct lh_table *runs, const struct run *wanted)
{
	unsigned long code = lh_get_hash(runs, wanted);
	struct lh_entry *found = lh_table_lookup_entry_w_hash(runs, wanted, code);
	struct run *run;

	if (found) {
		run = (void *)lh_entry_k(found);
		run->ns += wanted->ns;
		return;
	}
	run = alloc(1, offsetof(struct run, frames) + run_bytes(wanted));
	memcpy(run, wanted, offsetof(struct run, frames) + run_bytes(wanted));
	if (lh_table_insert_w_hash(runs, run, NULL, code, JSON_C_OBJECT_ADD_KEY_IS_NEW))
		exit(failed("out of memory"));
}

static void fold_way(const struct stack_weight *way, const struct entry *entry, void *context)
{
	struct folded *folded = context;
	const struct first_frames *first = &folded->first;
	struct run run;
	char buf[32];

	if (!way->ns)
		return;
	run.ns = way->ns;
	run.count = first->count + way->count;
	for (unsigned int i = 0; i < first->count; i++) {
		const char *text = first_text(buf, sizeof(buf), entry, first->keys[i]);

		run.frames[i] = pool_keep(folded->firsts, text, strlen(text) + 1);
	}
	memcpy(run.frames + first->count, way->names, way->count * sizeof(*way->names));
	add_run(folded->runs, &run);
}

/* a victim's time stands in the stack of the stall that it waited for */
static void fold_charge(const struct charge *charge, void *context)
{
	struct folded *folded = context;

	stack_weights_each(folded->page->symbols, charge->to, charge->ns, fold_way, folded);
}

static void fold_run(struct folded *folded, const struct run *run)
{
	folded->len = 0;
	for (size_t i = 0; i < run->count; i++)
		put_frame(folded, run->frames[i]);
	add_line(folded, run->ns);
}

static void folded_add(void *state, const struct page *page)
{
	struct folded *folded = state;
	struct lh_entry *run;

	folded->page = page;
	folded->firsts = pool_new();
	folded->runs = or_exit(lh_table_new(FIRST_SIZE, free_run, hash_run, same_runs));
	charges_each(page->model, fold_charge, folded);
	lh_foreach(folded->runs, run)
		fold_run(folded, lh_entry_k(run));
	lh_table_free(folded->runs);
	pool_free(folded->firsts);
}

static int by_text(const void *a, const void *b)
{
	const struct lh_entry *left = *(struct lh_entry *const *)a;
	const struct lh_entry *right = *(struct lh_entry *const *)b;

	return strcmp(lh_entry_k(left), lh_entry_k(right));
}

static void folded_end(void *state)
{
	struct folded *folded = state;
	size_t count = lh_table_length(folded->lines), i = 0;
	struct lh_entry **lines = alloc(count, sizeof(*lines)), *line;

	lh_foreach(folded->lines, line)
		lines[i++] = line;
	qsort(lines, count, sizeof(struct lh_entry *), by_text);
	for (i = 0; i < count; i++)
		fprintf(folded->out, "%s %llu\n", (const char *)lh_entry_k(lines[i]),
			*(const __u64 *)lh_entry_v(lines[i]));
	free(lines);
	free(folded->line);
	lh_table_free(folded->lines);
	free(folded);
}

const struct exporter folded_exporter = {
	.name = "folded",
	.grouped = true,
	.begin = folded_begin,
	.add = folded_add,
	.end = folded_end,
};
