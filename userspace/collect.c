// SPDX-License-Identifier: GPL-2.0-only
#include "collect.h"
#include "culprit.h"
#include "say.h"
#include "source.h"

static void find_cgroups(struct cgroups *cgroups, struct entry *entry)
{
	for (unsigned int i = 0; i < TIO_STACKS; i++) {
		const struct tio_sample *sample = i < TIO_SAMPLES ? &entry->rec.samples[i] :
								    &entry->rec.end;

		entry->cgroups[i] = cgroups_find(cgroups, sample->cgroup_id,
						 sample->flags & TRACE_IRQOFF_F_CGROUP_V1);
	}
}

/**
 * collect_judge() - from evidence to class and culprit
 * @collection: records and names
 */
void collect_judge(struct collection *collection)
{
	for (size_t i = 0; i < collection->model.nentries; i++) {
		struct entry *entry = collection->model.entries[i];

		entry->class = tio_classify(&entry->rec);
		entry->culprit = culprit_find(collection->symbols, entry);
	}
}

/**
 * collect_records() - get the records that are wanted
 * @collection: the result; ends with collect_free() whatever is returned
 * @filter: which ones
 *
 * Return: an exit status.
 */
int collect_records(struct collection *collection, const struct filter *filter)
{
	struct model *model = &collection->model;
	struct source *source = NULL;
	int ret;

	*collection = (struct collection){ 0 };
	ret = source_open(&source);
	if (ret)
		return ret;
	/*
	 * Names first: what is loaded over a module after they were read makes
	 * the frames of it stale in the records that are read now.
	 */
	collection->symbols = symbols_open("/proc/kallsyms", "/proc/modules");
	ret = source_config(source, model);
	if (!ret)
		ret = source_records(source, model, symbols_hidden(collection->symbols));
	if (!ret)
		ret = source_counters(source, model);
	source_close(source);
	if (ret)
		return ret;

	collect_judge(collection);
	model_sort(model);
	filter_apply(filter, model);
	collection->cgroups = cgroups_open("/proc/self/mountinfo");
	for (size_t i = 0; i < model->nentries; i++)
		find_cgroups(collection->cgroups, model->entries[i]);
	return EXIT_DONE;
}

void collect_free(struct collection *collection)
{
	model_free(&collection->model);
	symbols_close(collection->symbols);
	cgroups_close(collection->cgroups);
}
