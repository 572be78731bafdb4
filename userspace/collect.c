// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "collect.h"
#include "culprit.h"
#include "say.h"
#include "source.h"
#include "victim.h"

static void find_cgroups(struct cgroups *cgroups, struct entry *entry)
{
	for (unsigned int i = 0; i < TIO_STACKS; i++) {
		const struct tio_sample *sample = i < TIO_SAMPLES ? &entry->rec.samples[i] :
								    &entry->rec.end;

		entry->cgroups[i] = cgroups_find(cgroups, sample->cgroup_id,
						 sample->flags & TRACE_IRQOFF_F_CGROUP_V1);
	}
}

/* a list of CPUs as the module prints them, too */
static char *online_cpus(void)
{
	FILE *file = fopen("/sys/devices/system/cpu/online", "re");
	char *line = NULL;
	size_t room = 0;

	if (!file)
		return NULL;
	if (getline(&line, &room, file) > 0)
		line[strcspn(line, "\n")] = '\0';
	fclose(file);
	return line;
}

/**
 * collect_judge() - from evidence to classes, culprits and victims
 * @collection: names and all records, in any order; they are sorted then
 */
void collect_judge(struct collection *collection)
{
	struct model *model = &collection->model;

	for (size_t i = 0; i < model->nentries; i++) {
		struct entry *entry = model->entries[i];

		tio_judge(&entry->rec, &entry->verdict);
		entry->culprit = culprit_find(collection->symbols, entry);
		victim_look(collection->symbols, entry);
	}
	model_sort(model);
	victim_link(model);
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

	model->config.online = online_cpus();
	collect_judge(collection);
	filter_apply(filter, model);
	collection->cgroups = cgroups_open("/proc/self/mountinfo");
	for (size_t i = 0; i < model->nentries; i++) {
		find_cgroups(collection->cgroups, model->entries[i]);
		if (model->entries[i]->waits_for)
			find_cgroups(collection->cgroups, model->entries[i]->waits_for);
	}
	return EXIT_DONE;
}

void collect_free(struct collection *collection)
{
	model_free(&collection->model);
	symbols_close(collection->symbols);
	cgroups_close(collection->cgroups);
}
