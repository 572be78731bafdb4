// SPDX-License-Identifier: GPL-2.0-only
/* A profile for pprof, with the sample types of Go's mutex profile: a sample a record. */
#include <json-c/linkhash.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "judge/stack_weights.h"
#include "model/charge.h"
#include "output/export.h"
#include "output/export/out_protobuf.h"
#include "profile.pb-c.h"

#define FIRST_SIZE	64
#define KERNEL		1	/* the only mapping: names of functions have their modules */
#define MOST_LABELS	7

struct pprof {
	FILE *out;
	FILE *pieces;
	char *bytes;
	size_t len;
	struct lh_table *strings;	/* to indices */
	struct lh_table *functions;	/* to numbers, which are those of their locations, too */
	const struct page *page;	/* whose records are added */
	__u64 from_ns, to_ns;	/* the time of all of them */
};

static void put_piece(struct pprof *pprof, const Pprof__Profile *piece)
{
	put_message(pprof->pieces, piece);
}

/* true where @text is new; its number is then the count of those before, and @from */
static bool number_of(struct lh_table *table, const char *text, __u64 from, __u64 *number)
{
	void *found;

	if (lh_table_lookup_ex(table, text, &found)) {
		*number = (uintptr_t)found;
		return false;
	}
	*number = from + lh_table_length(table);
	if (lh_table_insert(table, copy_text(text), (void *)(uintptr_t)*number))
		exit(failed("out of memory"));
	return true;
}

static __s64 string(struct pprof *pprof, const char *text)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	char *one = (char *)text;
	__u64 index;

	if (number_of(pprof->strings, text, 0, &index)) {
		piece.string_table = &one;
		piece.n_string_table = 1;
		put_piece(pprof, &piece);
	}
	return index;
}

/* the location of a function, which has no other one */
static __u64 location(struct pprof *pprof, const char *name)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions = &function;
	Pprof__Location location = PPROF__LOCATION__INIT, *locations = &location;
	Pprof__Line line = PPROF__LINE__INIT, *lines = &line;
	__u64 number;

	if (!number_of(pprof->functions, name, 1, &number))
		return number;
	function.id = number;
	function.name = string(pprof, name);
	function.system_name = function.name;
	line.function_id = number;
	location.id = number;
	location.mapping_id = KERNEL;
	location.line = &lines;
	location.n_line = 1;
	piece.function = &functions;
	piece.n_function = 1;
	piece.location = &locations;
	piece.n_location = 1;
	put_piece(pprof, &piece);
	return number;
}

static void put_head(struct pprof *pprof)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__ValueType count = PPROF__VALUE_TYPE__INIT;
	Pprof__ValueType delay = PPROF__VALUE_TYPE__INIT, *types[2];
	Pprof__Mapping kernel = PPROF__MAPPING__INIT, *mappings = &kernel;

	/* index 0 */
	string(pprof, "");
	count.type = string(pprof, "contentions");
	count.unit = string(pprof, "count");
	delay.type = string(pprof, "delay");
	delay.unit = string(pprof, "nanoseconds");
	kernel.id = KERNEL;
	kernel.filename = string(pprof, "[kernel.kallsyms]");
	kernel.has_functions = true;
	types[0] = &count;
	types[1] = &delay;
	piece.sample_type = types;
	piece.n_sample_type = ARRAY_SIZE(types);
	piece.period_type = &count;
	piece.period = 1;
	piece.default_sample_type = delay.type;
	piece.mapping = &mappings;
	piece.n_mapping = 1;
	put_piece(pprof, &piece);
}

static void free_name(struct lh_entry *entry)
{
	free((void *)lh_entry_k(entry));
}

static struct lh_table *new_table(void)
{
	return or_exit(lh_kchar_table_new(FIRST_SIZE, free_name));
}

static void *pprof_begin(FILE *out, const struct first_frames *first)
{
	struct pprof *pprof = alloc(1, sizeof(*pprof));

	(void)first;
	pprof->out = out;
	pprof->pieces = or_exit(open_memstream(&pprof->bytes, &pprof->len));
	pprof->strings = new_table();
	pprof->functions = new_table();
	pprof->from_ns = ~0ULL;
	put_head(pprof);
	return pprof;
}

/* the labels of a sample; what is not known has none */
struct labels {
	Pprof__Label all[MOST_LABELS], *each[MOST_LABELS];
	size_t count;
};

static void put_label(struct pprof *pprof, struct labels *labels, const char *key,
		      const char *text)
{
	Pprof__Label *label = &labels->all[labels->count];

	if (!text || !*text)
		return;
	pprof__label__init(label);
	label->key = string(pprof, key);
	label->str = string(pprof, text);
	labels->each[labels->count++] = label;
}

static const char *node_of(const struct machine *machine)
{
	return *machine->host ? machine->host : machine->boot_id;
}

/* as in the report, what is said of a victim is said of the stall that it waited for */
static void put_labels(struct pprof *pprof, struct labels *labels, const struct charge *charge)
{
	char cpu[16];

	labels->count = 0;
	snprintf(cpu, sizeof(cpu), "%u", charge->entry->rec.cpu);
	put_label(pprof, labels, "class", tio_class_name(charge->to->found.verdict.class));
	put_label(pprof, labels, "culprit", charge_culprit(charge->to));
	put_label(pprof, labels, "busy_in", charge->to->found.busy_in);
	put_label(pprof, labels, "cpu", cpu);
	put_label(pprof, labels, "evidence", tio_evidence_name(charge->to->found.verdict.evidence));
	put_label(pprof, labels, "role", charge_is_victims(charge) ? "victim" : "culprit");
	put_label(pprof, labels, "node", node_of(&pprof->page->model->machine));
}

static void put_sample(const struct charge *charge, void *context)
{
	struct pprof *pprof = context;
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples = &sample;
	int64_t values[] = { 1, charge->ns };
	uint64_t locations[2 * TIO_FRAMES];
	struct labels labels;
	struct stack_weight way;

	stack_weight_main(&way, pprof->page->symbols, charge->to, charge->ns);
	/* a way goes inwards, a sample's locations go outwards */
	for (unsigned int i = 0; i < way.count; i++)
		locations[way.count - 1 - i] = location(pprof, way.names[i]);
	put_labels(pprof, &labels, charge);
	sample.location_id = locations;
	sample.n_location_id = way.count;
	sample.value = values;
	sample.n_value = ARRAY_SIZE(values);
	sample.label = labels.each;
	sample.n_label = labels.count;
	piece.sample = &samples;
	piece.n_sample = 1;
	put_piece(pprof, &piece);
}

static void pprof_add(void *state, const struct page *page)
{
	struct pprof *pprof = state;

	pprof->page = page;
	/* an empty one may be at any time */
	if (page->window.from_ns < page->window.to_ns) {
		if (page->window.from_ns < pprof->from_ns)
			pprof->from_ns = page->window.from_ns;
		if (page->window.to_ns > pprof->to_ns)
			pprof->to_ns = page->window.to_ns;
	}
	charges_each(page->model, put_sample, pprof);
}

static void pprof_comment(void *state, const char *text)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	struct pprof *pprof = state;
	int64_t index = string(pprof, text);

	piece.comment = &index;
	piece.n_comment = 1;
	put_piece(pprof, &piece);
}

static void pprof_end(void *state)
{
	struct pprof *pprof = state;
	Pprof__Profile piece = PPROF__PROFILE__INIT;

	if (pprof->to_ns > pprof->from_ns) {
		piece.time_nanos = pprof->from_ns;
		piece.duration_nanos = pprof->to_ns - pprof->from_ns;
		put_piece(pprof, &piece);
	}
	if (fclose(pprof->pieces) || !gzip_write(pprof->out, pprof->bytes, pprof->len))
		exit(failed("could not compress the profile"));
	free(pprof->bytes);
	lh_table_free(pprof->strings);
	lh_table_free(pprof->functions);
	free(pprof);
}

const struct exporter pprof_exporter = {
	.name = "pprof",
	.binary = true,
	.grouped = true,
	.begin = pprof_begin,
	.add = pprof_add,
	.comment = pprof_comment,
	.end = pprof_end,
};
