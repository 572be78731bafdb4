// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "heads.h"
#include "say.h"
#include "source_file.h"
#include "units.h"

static struct head head_of(const char *path)
{
	struct model model = { 0 };
	struct captured captured = { .model = &model };
	struct head head = { .path = path };
	FILE *in = fopen(path, "re");

	if (!in)
		return head;
	source_file_head(in, &captured);
	fclose(in);
	head.load.instance = model.config.instance;
	memcpy(head.load.boot_id, model.machine.boot_id, sizeof(head.load.boot_id));
	head.saved_ns = captured.realtime_ns;
	head.threshold_ns = model.config.threshold_us * NSEC_PER_USEC;
	model_free(&model);
	return head;
}

int heads_compare_loads(const struct load *left, const struct load *right)
{
	int order = strcmp(left->boot_id, right->boot_id);

	if (order)
		return order;
	return (left->instance > right->instance) - (left->instance < right->instance);
}

/* by load, then by time */
static int by_load(const void *a, const void *b)
{
	const struct head *left = a, *right = b;
	int order = heads_compare_loads(&left->load, &right->load);

	if (!order)
		order = (left->saved_ns > right->saved_ns) - (left->saved_ns < right->saved_ns);
	return order ? order : strcmp(left->path, right->path);
}

/**
 * heads_read() - read who made captures
 * @inputs: the captures
 *
 * Return: as many heads, those of a load one after another, the oldest first; to be freed.
 */
struct head *heads_read(const struct inputs *inputs)
{
	struct head *heads = alloc(inputs->count, sizeof(*heads));

	for (size_t i = 0; i < inputs->count; i++)
		heads[i] = head_of(inputs->paths[i]);
	qsort(heads, inputs->count, sizeof(*heads), by_load);
	return heads;
}

/* is it the last one of its load? */
bool heads_last(const struct head *heads, size_t count, size_t i)
{
	return i + 1 == count || heads_compare_loads(&heads[i].load, &heads[i + 1].load);
}

/* when the newest was saved; 0 where none can be read */
__u64 heads_newest_ns(const struct head *heads, size_t count)
{
	__u64 newest_ns = 0;

	for (size_t i = 0; i < count; i++)
		if (heads[i].saved_ns > newest_ns)
			newest_ns = heads[i].saved_ns;
	return newest_ns;
}
