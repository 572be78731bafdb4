// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file of known causes. One that is wrong anywhere is left out as a whole: half of what
 * somebody wrote is not what they meant.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/program.h"
#include "base/say.h"
#include "causes/causes.h"
#include "model/filter.h"
#include "model/labels.h"

#define ID_MOST		40
#define TEXT_MOST	600	/* characters, as the schema counts them */
#define COMMIT_LEAST	12	/* digits of a commit's id */
#define COMMIT_MOST	40

/* one file as it is read */
struct reader {
	struct causes *into;	/* what earlier files had */
	struct causes own;
	const char *file;
	char *wrong;		/* what is wrong with it; NULL: nothing so far */
	char *row;		/* which row it is about: "row 3 (ip_vs-estimation)" */
};

/* keeps the first fault, in one line whatever the file has; returns false */
__printf(2, 3) static bool wrong(struct reader *reader, const char *format, ...)
{
	va_list args;
	char *what;

	if (reader->wrong)
		return false;
	va_start(args, format);
	what = printable(vprint_text(format, args));
	va_end(args);
	reader->wrong = reader->row ? print_text("%s: %s: %s", reader->file, reader->row, what) :
				      print_text("%s: %s", reader->file, what);
	free(what);
	return false;
}

/* what is printed later: neither empty nor endless, and safe for terminals */
static char *take_text(struct reader *reader, struct json_object *value, const char *key)
{
	const char *text;
	size_t count;

	if (!json_object_is_type(value, json_type_string)) {
		wrong(reader, "'%s' is no string", key);
		return NULL;
	}
	text = json_object_get_string(value);
	count = characters(text);
	if (!count || count > TEXT_MOST) {
		if (count)
			wrong(reader, "'%s' has %zu characters; %u at most", key, count,
			      TEXT_MOST);
		else
			wrong(reader, "'%s' is empty", key);
		return NULL;
	}
	return printable(copy_text(text));
}

static void add_pattern(struct patterns *patterns, char *text)
{
	if (!text)
		return;
	patterns->all = grow(patterns->all, patterns->count, sizeof(*patterns->all));
	patterns->all[patterns->count++] = text;
}

/* a string, or a list of them */
static bool take_patterns(struct reader *reader, struct json_object *value, const char *key,
			  struct patterns *patterns)
{
	if (!json_object_is_type(value, json_type_array)) {
		add_pattern(patterns, take_text(reader, value, key));
		return !reader->wrong;
	}
	for (size_t i = 0; i < (size_t)json_object_array_length(value); i++)
		add_pattern(patterns, take_text(reader, json_object_array_get_idx(value, i), key));
	if (!patterns->count)
		return wrong(reader, "'%s' is empty", key);
	return !reader->wrong;
}

/* TIO_CLASSES after saying that it is none */
static enum tio_class take_class(struct reader *reader, const char *name, const char *key)
{
	enum tio_class class = filter_class(name);
	char *classes;

	if (class == TIO_CLASSES) {
		classes = join_words(filter_class_word);
		wrong(reader, "'%s' has '%s', which is no class; the classes are %s", key, name,
		      classes);
		free(classes);
	}
	return class;
}

static bool take_classes(struct reader *reader, struct json_object *value, unsigned int *classes)
{
	struct patterns words = { 0 };

	take_patterns(reader, value, "class", &words);
	for (size_t i = 0; i < words.count; i++) {
		enum tio_class class = take_class(reader, words.all[i], "class");

		if (class != TIO_CLASSES)
			*classes |= 1U << class;
		free(words.all[i]);
	}
	free(words.all);
	return !reader->wrong;
}

static bool take_match(struct reader *reader, struct json_object *match, struct cause *cause)
{
	if (!json_object_is_type(match, json_type_object))
		return wrong(reader, "'match' is no object");
	json_object_object_foreach(match, key, value) {
		if (!strcmp(key, "culprit"))
			take_patterns(reader, value, key, &cause->culprit);
		else if (!strcmp(key, "path"))
			take_patterns(reader, value, key, &cause->path);
		else if (!strcmp(key, "module"))
			take_patterns(reader, value, key, &cause->module);
		else if (!strcmp(key, "class"))
			take_classes(reader, value, &cause->classes);
		else
			wrong(reader, "'match' takes culprit, path, module and class, not '%s'",
			      key);
		cause->stall = true;
	}
	if (!cause->stall)
		return wrong(reader, "'match' is empty");
	return !reader->wrong;
}

/* "6.2" */
static bool is_release(const char *text)
{
	size_t major = strspn(text, "0123456789"), minor;

	minor = text[major] == '.' ? strspn(text + major + 1, "0123456789") : 0;
	return major && minor && !text[major + 1 + minor];
}

static bool is_commit(const char *text)
{
	size_t len = strspn(text, "0123456789abcdef");

	return !text[len] && len >= COMMIT_LEAST && len <= COMMIT_MOST;
}

static bool take_fixed(struct reader *reader, struct json_object *fixed, struct cause *cause)
{
	if (!json_object_is_type(fixed, json_type_object))
		return wrong(reader, "'fixed' is no object");
	json_object_object_foreach(fixed, key, value) {
		if (!strcmp(key, "since"))
			cause->since = take_text(reader, value, key);
		else if (!strcmp(key, "commits"))
			take_patterns(reader, value, key, &cause->commits);
		else
			wrong(reader, "'fixed' takes since and commits, not '%s'", key);
	}
	if (reader->wrong)
		return false;
	if (!cause->since)
		return wrong(reader, "'fixed' has no 'since'");
	if (!is_release(cause->since))
		return wrong(reader, "'%s' is no release of two numbers, such as 6.2",
			     cause->since);
	for (size_t i = 0; i < cause->commits.count; i++)
		if (!is_commit(cause->commits.all[i]))
			return wrong(reader, "'%s' is no commit's id of %u to %u digits",
				     cause->commits.all[i], COMMIT_LEAST, COMMIT_MOST);
	return !reader->wrong;
}

static bool take_links(struct reader *reader, struct json_object *value, struct cause *cause)
{
	take_patterns(reader, value, "links", &cause->links);
	for (size_t i = 0; i < cause->links.count; i++)
		if (strncmp(cause->links.all[i], "https://", strlen("https://")))
			return wrong(reader, "the link '%s' does not begin with https://",
				     cause->links.all[i]);
	return !reader->wrong;
}

/* where each claim was looked up: for those who change the row, and nothing prints it */
static bool take_sources(struct reader *reader, struct json_object *sources)
{
	struct patterns texts = { 0 };

	if (!json_object_is_type(sources, json_type_object))
		return wrong(reader, "'sources' is no object");
	if (!json_object_object_length(sources))
		return wrong(reader, "'sources' is empty");
	json_object_object_foreach(sources, key, value) {
		if (!strcmp(key, "signature") || !strcmp(key, "remedy") ||
		    !strcmp(key, "count") || !strcmp(key, "fixed"))
			take_patterns(reader, value, key, &texts);
		else
			wrong(reader,
			      "'sources' takes signature, remedy, count and fixed, not '%s'", key);
	}
	patterns_free(&texts);
	return !reader->wrong;
}

/* a slug: lower case, digits, and hyphens or underscores between them */
static bool is_id(const char *id)
{
	size_t len = strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-_");

	return len && !id[len] && len <= ID_MOST && isalnum((unsigned char)*id);
}

static bool take_id(struct reader *reader, struct json_object *value, struct cause *cause)
{
	cause->id = take_text(reader, value, "id");
	if (!cause->id)
		return false;
	if (!is_id(cause->id))
		return wrong(reader, "'%s' is no id: %u small letters, digits, - and _ at most; "
			     "the first is a letter or a digit", cause->id, ID_MOST);
	/* counters have those that no row explains by it (metrics.c) */
	if (!strcmp(cause->id, "other"))
		return wrong(reader, "'other' is no id: it stands for what no row explains");
	if (cause_by_id(&reader->own, cause->id))
		return wrong(reader, "another row has this id");
	return true;
}

static bool take_key(struct reader *reader, const char *key, struct json_object *value,
		     struct cause *cause)
{
	if (*key == '$' || !strcmp(key, "id"))
		return true;
	if (!strcmp(key, "match"))
		return take_match(reader, value, cause);
	if (!strcmp(key, "cause"))
		return (cause->cause = take_text(reader, value, key));
	if (!strcmp(key, "remedy"))
		return (cause->remedy = take_text(reader, value, key));
	if (!strcmp(key, "count"))
		return (cause->count = take_text(reader, value, key));
	if (!strcmp(key, "fixed"))
		return take_fixed(reader, value, cause);
	if (!strcmp(key, "links"))
		return take_links(reader, value, cause);
	if (!strcmp(key, "sources"))
		return take_sources(reader, value);
	return wrong(reader, "unknown key '%s'; "
		     "a row takes id, match, cause, remedy, count, fixed, links and sources", key);
}

static bool fill_row(struct reader *reader, struct json_object *row, struct cause *cause)
{
	struct json_object *id;

	if (!json_object_object_get_ex(row, "id", &id))
		return wrong(reader, "'id' is missing");
	if (!take_id(reader, id, cause))
		return false;
	json_object_object_foreach(row, key, value)
		if (!take_key(reader, key, value, cause))
			return false;
	if (!cause->cause || !cause->remedy)
		return wrong(reader, "'%s' is missing", cause->cause ? "remedy" : "cause");
	return true;
}

/* "row 3 (ip_vs-estimation)" */
static char *rotation_name(size_t i, struct json_object *row)
{
	struct json_object *id;
	char *name, *text;

	if (!json_object_object_get_ex(row, "id", &id) ||
	    !json_object_is_type(id, json_type_string))
		return print_text("row %zu", i + 1);
	name = printable(copy_text(json_object_get_string(id)));
	text = print_text("row %zu (%.40s)", i + 1, name);
	free(name);
	return text;
}

static bool take_rows(struct reader *reader, struct json_object *rows)
{
	struct causes *own = &reader->own;

	if (!json_object_is_type(rows, json_type_array))
		return wrong(reader, "'causes' is no list");
	for (size_t i = 0; i < (size_t)json_object_array_length(rows) && !reader->wrong; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		struct cause cause = { .file = reader->into->nfiles };

		if (!json_object_is_type(row, json_type_object)) {
			reader->row = print_text("row %zu", i + 1);
			wrong(reader, "it is no object");
		} else {
			reader->row = rotation_name(i, row);
			fill_row(reader, row, &cause);
		}
		free(reader->row);
		reader->row = NULL;
		/* also one that is wrong, to be freed */
		own->rows = grow(own->rows, own->count, sizeof(cause));
		own->rows[own->count++] = cause;
	}
	return !reader->wrong;
}

static bool take_hints(struct reader *reader, struct json_object *hints)
{
	if (!json_object_is_type(hints, json_type_object))
		return wrong(reader, "'hints' is no object");
	json_object_object_foreach(hints, key, value) {
		enum tio_class class = take_class(reader, key, "hints");

		if (class == TIO_CLASSES)
			return false;
		reader->own.hints[class] = take_text(reader, value, key);
	}
	return !reader->wrong;
}

static bool take_file(struct reader *reader, struct json_object *document)
{
	if (!json_object_is_type(document, json_type_object))
		return wrong(reader, "it is no object with 'causes'");
	json_object_object_foreach(document, key, value) {
		if (!strcmp(key, "causes"))
			take_rows(reader, value);
		else if (!strcmp(key, "hints"))
			take_hints(reader, value);
		else if (*key != '$')
			wrong(reader, "unknown key '%s'; a file takes causes and hints", key);
	}
	return !reader->wrong;
}

static unsigned int line_at(const char *text, size_t offset)
{
	unsigned int line = 1;

	for (size_t i = 0; i < offset && text[i]; i++)
		line += text[i] == '\n';
	return line;
}

static struct json_object *parse(struct reader *reader, const char *text)
{
	struct json_tokener *tokener = or_exit(json_tokener_new());
	enum json_tokener_error error;
	struct json_object *document;
	size_t end;

	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	/* with the NUL, which ends it */
	document = json_tokener_parse_ex(tokener, text, strlen(text) + 1);
	error = json_tokener_get_error(tokener);
	end = tokener->char_offset;
	if (error != json_tokener_success)
		wrong(reader, "line %u is no JSON: %s", line_at(text, end),
		      json_tokener_error_desc(error));
	json_tokener_free(tokener);
	return document;
}

/* what an earlier file has goes before; a row that has its id stands in the place of this one */
static void merge(struct reader *reader)
{
	struct causes *into = reader->into, *own = &reader->own;

	for (size_t i = 0; i < own->count; i++) {
		if (cause_by_id(into, own->rows[i].id))
			continue;
		into->rows = grow(into->rows, into->count, sizeof(*into->rows));
		into->rows[into->count++] = own->rows[i];
		own->rows[i] = (struct cause){ 0 };
	}
	for (unsigned int i = 0; i < TIO_CLASSES; i++) {
		if (into->hints[i])
			continue;
		into->hints[i] = own->hints[i];
		own->hints[i] = NULL;
	}
	into->files = grow(into->files, into->nfiles, sizeof(*into->files));
	into->files[into->nfiles++] = copy_text(reader->file);
}

/**
 * causes_add() - add the rows and hints of a file
 * @causes: those of earlier files, which go before these
 * @file: its name
 * @text: what it has
 *
 * Return: what is wrong with it, after which nothing of it is added; NULL: nothing. To be
 * freed.
 */
char *causes_add(struct causes *causes, const char *file, const char *text)
{
	struct reader reader = { .into = causes, .file = file };
	struct json_object *document = parse(&reader, text);

	if (!reader.wrong && take_file(&reader, document))
		merge(&reader);
	else
		causes->refused++;
	json_object_put(document);
	causes_free(&reader.own);
	return reader.wrong;
}

/* Finds the files of known causes. */

#define VARIABLE	"IRQOFF_CAUSES"
#define OWN_ROWS	"/etc/trace-irqoff/causes.d"
#define FILE_MOST	0x100000

static void refuse(struct causes *causes, const char *path, const char *why)
{
	causes->refused++;
	note("%s is left out: %s", path, why);
}

static void open_file(struct causes *causes, const char *path)
{
	char *text = alloc(FILE_MOST + 1, 1), *wrong = NULL;
	FILE *in = fopen(path, "re");
	size_t len = in ? fread(text, 1, FILE_MOST, in) : 0;

	if (!in || ferror(in))
		refuse(causes, path, strerror(errno));
	else if (len == FILE_MOST)
		refuse(causes, path, "it is too large");
	else if (strlen(text) != len)
		refuse(causes, path, "it is no text");
	else
		wrong = causes_add(causes, path, text);
	if (wrong)
		note("%s; the file is left out", wrong);
	if (in)
		fclose(in);
	free(wrong);
	free(text);
}

static int is_json(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return *entry->d_name != '.' && len > strlen(".json") &&
	       !strcmp(entry->d_name + len - strlen(".json"), ".json");
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
	return strcmp((*left)->d_name, (*right)->d_name);
}

/* the files NAME.json of a directory, in the order of their names */
static void open_directory(struct causes *causes, const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_json, by_name);

	if (count < 0) {
		refuse(causes, path, strerror(errno));
		return;
	}
	for (int i = 0; i < count; i++) {
		char *file = print_text("%s/%s", path, entries[i]->d_name);

		open_file(causes, file);
		free(file);
		free(entries[i]);
	}
	free(entries);
}

/* returns whether there is such a file or directory */
static bool open_path(struct causes *causes, const char *path)
{
	struct stat status;

	if (stat(path, &status)) {
		if (errno == ENOENT)
			return false;
		refuse(causes, path, strerror(errno));
	} else if (S_ISDIR(status.st_mode)) {
		open_directory(causes, path);
	} else {
		open_file(causes, path);
	}
	return true;
}

/* below the prefix that the program is installed in; to be freed */
static char *shared_path(char directory[PATH_MAX])
{
	cut_name(directory);
	return print_text("%s/share/trace-irqoff/causes.json", directory);
}

/* where it is installed, or beside the program where it is built */
static void open_shipped(struct causes *causes)
{
	char directory[PATH_MAX], *beside, *shared;

	if (!program_directory(directory))
		return;
	beside = print_text("%s/causes.json", directory);
	shared = shared_path(directory);
	if (!open_path(causes, shared))
		open_path(causes, beside);
	free(shared);
	free(beside);
}

/**
 * causes_missing() - why no file of causes was found
 *
 * Return: a sentence without its full stop, to be freed.
 */
char *causes_missing(void)
{
	const char *list = getenv(VARIABLE);
	char directory[PATH_MAX], *shared, *text;

	if (list && !*list)
		return copy_text(VARIABLE " is empty, so no cause is known");
	if (list)
		return print_text(VARIABLE " is '%s', and no file of causes is there", list);
	if (!program_directory(directory))
		return copy_text("no known causes were found");
	shared = shared_path(directory);
	text = print_text("no known causes were found; those that come with irqoff belong in %s",
			  shared);
	free(shared);
	return text;
}

/**
 * causes_lacking() - what an answer lacks where files of causes are not there
 * @causes: what was read
 *
 * Return: a sentence without its full stop, to be freed; NULL: nothing is lacking.
 */
char *causes_lacking(const struct causes *causes)
{
	if (!causes->refused)
		return causes->nfiles ? NULL : causes_missing();
	if (!causes->nfiles)
		return copy_text("no file of known causes could be read");
	return print_text("%u %s left out", causes->refused,
			  causes->refused == 1 ? "file of known causes is" :
						 "files of known causes are");
}

/* PATH[:PATH]...; a path that is not there is an error of whoever set it */
static void open_list(struct causes *causes, const char *list)
{
	char *copy = copy_text(list), *rest = copy, *path;

	while ((path = strsep(&rest, ":")))
		if (*path && !open_path(causes, path))
			refuse(causes, path, strerror(ENOENT));
	free(copy);
}

/**
 * causes_open() - read the known causes: one's own, and those that came with irqoff
 * @causes: the result; ends with causes_free()
 *
 * IRQOFF_CAUSES names files and directories to read in the place of these. What cannot be
 * read is left out, after saying why.
 */
void causes_open(struct causes *causes)
{
	const char *list = getenv(VARIABLE);

	*causes = (struct causes){ 0 };
	if (list) {
		open_list(causes, list);
		return;
	}
	open_path(causes, OWN_ROWS);
	open_shipped(causes);
}
