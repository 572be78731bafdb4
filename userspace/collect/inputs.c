// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "collect/inputs.h"

void inputs_add(struct inputs *inputs, const char *path)
{
	inputs->paths = grow(inputs->paths, inputs->count, sizeof(*inputs->paths));
	inputs->paths[inputs->count++] = path;
}

void inputs_free(struct inputs *inputs)
{
	free(inputs->paths);
	*inputs = (struct inputs){ 0 };
}

bool inputs_have_stdin(const struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		if (!strcmp(inputs->paths[i], "-"))
			return true;
	return false;
}

/* "-" is what standard input comes from */
static bool look(const char *path, struct stat *found)
{
	return !(strcmp(path, "-") ? stat(path, found) : fstat(STDIN_FILENO, found));
}

static bool is_same_file(const char *path, const char *other)
{
	struct stat a, b;

	if (!strcmp(path, other))
		return true;
	return look(path, &a) && look(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/**
 * inputs_have() - is a file among those that are read?
 * @inputs: the files
 * @path: one of its names
 *
 * Return: true where replacing the file would destroy what is read.
 */
bool inputs_have(const struct inputs *inputs, const char *path)
{
	for (size_t i = 0; i < inputs->count; i++)
		if (is_same_file(inputs->paths[i], path))
			return true;
	return false;
}

/**
 * inputs_unique() - refuse a file that is named twice, where what it has would count twice
 * @inputs: the files
 *
 * Return: EXIT_DONE, or EXIT_USAGE after naming it.
 */
int inputs_unique(const struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		for (size_t k = 0; k < i; k++)
			if (is_same_file(inputs->paths[i], inputs->paths[k]))
				return misuse("%s is there twice", inputs->paths[i]);
	return EXIT_DONE;
}

/* captures begin with the magic number of zstd, which no log has */
bool inputs_capture(const char *path)
{
	static const unsigned char magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	unsigned char begin[sizeof(magic)];
	FILE *file;
	bool is;

	if (!collect_is_file(path))
		return false;
	file = fopen(path, "re");
	is = file && fread(begin, sizeof(begin), 1, file) && !memcmp(begin, magic, sizeof(magic));
	if (file)
		fclose(file);
	return is;
}

static int read_one(const char *path, struct filter *filter, input_call *call, bool *first,
		    void *context)
{
	struct collection collection;
	int ret;

	filter->referred = false;
	ret = collect_capture(&collection, path, filter);
	/* ages count back from when it was saved */
	if (!ret)
		ret = filter_refer(filter, collection.model.config.realtime_ns);
	if (!ret) {
		filter_tell_absent(filter, &collection.model);
		collect_pass(&collection, filter);
		ret = call(&collection, filter, *first, context);
		*first = false;
	}
	if (!ret && collection.model.received.damaged)
		ret = EXIT_FAILED;
	collect_free(&collection);
	return ret;
}

/**
 * inputs_each() - read the captures, one after another
 * @inputs: the captures
 * @filter: which records pass
 * @call: called with each
 * @context: for @call
 *
 * Return: an exit status. One that cannot be read, or not whole, does not keep the others
 * from being read.
 */
int inputs_each(const struct inputs *inputs, struct filter *filter, input_call *call,
		void *context)
{
	int ret = EXIT_DONE;
	bool first = true;

	for (size_t i = 0; i < inputs->count; i++) {
		int one = read_one(inputs->paths[i], filter, call, &first, context);

		if (one == EXIT_USAGE)
			return one;
		if (one)
			ret = one;
	}
	return ret;
}

/**
 * records_each() - read the captures, one after another, or the module where there are none
 * @inputs: the captures
 * @filter: which records pass
 * @call: called with each
 * @context: for @call
 *
 * Return: as inputs_each().
 */
int records_each(const struct inputs *inputs, struct filter *filter, input_call *call,
		 void *context)
{
	struct collection collection;
	int ret;

	if (inputs->count)
		return inputs_each(inputs, filter, call, context);
	ret = collect_records(&collection, filter);
	if (!ret) {
		filter_tell_absent(filter, &collection.model);
		ret = call(&collection, filter, true, context);
	}
	collect_free(&collection);
	return ret;
}
