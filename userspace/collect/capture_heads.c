// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/units.h"
#include "capture/rotation.h"
#include "capture/source_file.h"
#include "collect/capture_heads.h"

/* the wall clock of two captures of a boot differs by so much where somebody set it */
#define SET_NS	NSEC_PER_SEC

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
	head.kernel_ns = captured.monotonic_ns;
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

static int compare(__u64 a, __u64 b)
{
	return (a > b) - (a < b);
}

/* by load, then by time, of which the kernel's clock is never set */
static int by_load(const void *a, const void *b)
{
	const struct head *left = a, *right = b;
	int order = heads_compare_loads(&left->load, &right->load);

	if (!order)
		order = compare(left->kernel_ns, right->kernel_ns);
	if (!order)
		order = compare(left->saved_ns, right->saved_ns);
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

static __u64 boot_ns(const struct head *head)
{
	return head->saved_ns - head->kernel_ns;
}

static bool same_clock(const struct head *left, const struct head *right)
{
	__u64 apart_ns = boot_ns(left) - boot_ns(right);

	return apart_ns < SET_NS || -apart_ns < SET_NS;
}

/* the capture that was begun once this one had ended; NULL: none is known */
static const struct head *next_of_row(const struct head *head, const struct head *end)
{
	for (const struct head *next = head + 1;
	     next < end && !heads_compare_loads(&head->load, &next->load); next++)
		if (rotation_same(head->path, next->path))
			return next;
	return NULL;
}

/**
 * heads_drop_ended() - drop the captures all of whose stalls ended before a time
 * @heads: from heads_read()
 * @count: of them
 * @since_ns: by the wall clock; 0: none is dropped
 *
 * A recorder ends a file of a row before it begins the next one. That one's first clock message
 * tells when: no stall of the file before ended later by the kernel's clock. The wall clock that a
 * file's stalls are told by is the same unless it was set, which the clock messages of both files
 * show: then, and where the next file is not of this load, the file is to be read. No time in a
 * name or of a file system says anything here.
 *
 * Return: how many are left.
 */
size_t heads_drop_ended(struct head *heads, size_t count, __u64 since_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		const struct head *next = next_of_row(&heads[i], heads + count);

		if (!next || !*next->load.boot_id || !same_clock(&heads[i], next) ||
		    next->saved_ns + SET_NS > since_ns)
			heads[kept++] = heads[i];
	}
	return kept;
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
