// SPDX-License-Identifier: GPL-2.0-only
#include "judge/stacks.h"
#include "output/json/out_json.h"

static struct json_object *branch_object(const struct branch *branch)
{
	struct json_object *object = json_object_new_object();
	struct json_object *calls = json_object_new_array();

	put_text(object, "function", branch->function);
	put_number(object, "total_ns", branch->total_ns);
	put_number(object, "count", branch->count);
	for (size_t i = 0; i < branch->ncalls; i++)
		json_object_array_add(calls, branch_object(&branch->calls[i]));
	put(object, "calls", calls);
	return object;
}

/**
 * json_stacks() - the stacks of stalls, merged
 * @page: the page
 * @stacks: the stacks
 */
void json_stacks(const struct page *page, const struct stacks *stacks)
{
	struct json_object *head = json_document(page->model);
	struct json_stream stream;

	put_number(head, "busy", page->model->nbusy);
	put_number(head, "records", page->model->nentries);
	json_begin(&stream, head, "stacks", page->out);
	for (size_t i = 0; i < stacks->root.ncalls; i++)
		json_item(&stream, branch_object(&stacks->root.calls[i]));
	json_end(&stream);
}
