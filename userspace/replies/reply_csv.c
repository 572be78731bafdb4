// SPDX-License-Identifier: GPL-2.0-only
/*
 * Columns of requests. A line of names tells which column is which; without one there are
 * the time, the latency and perhaps the target, in that order.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/latency.h"
#include "base/moment.h"
#include "base/say.h"
#include "replies/reply_format.h"

#define COLUMNS_MOST	256
#define NAME_MOST	64	/* longer ones are none */
#define NAMES_MOST	120	/* as many characters of them are told, and a name */

static const char separators[] = { '\t', ';', ',' };

/* a row that is cut; its cells point into the line */
struct row {
	char *cells[COLUMNS_MOST];
	int count;
	char separator;
};

/* the text of '"a ""quoted"" one"', in its place; returns what follows; NULL: it has no end */
static char *unquote(char *cell)
{
	char *from = cell + 1, *to = cell;

	for (; *from; from++) {
		if (*from == '"' && *++from != '"') {
			*to = '\0';
			return from;
		}
		*to++ = *from;
	}
	return NULL;
}

static void trim_end(char *text)
{
	size_t len = strlen(text);

	while (len && text[len - 1] == ' ')
		text[--len] = '\0';
}

/* cells beyond the most are left out; false: it is no row */
static bool cut(struct row *row, char *line, char separator)
{
	const char ends[] = { separator, '\0' };

	row->count = 0;
	row->separator = separator;
	while (line && row->count < COLUMNS_MOST) {
		char *cell = line + strspn(line, " "), *end = cell;

		if (*cell == '"')
			end = unquote(cell);
		if (!end)
			return false;
		end += strcspn(end, ends);
		line = *end ? end + 1 : NULL;
		*end = '\0';
		trim_end(cell);
		row->cells[row->count++] = cell;
	}
	return true;
}

static char *cell_of(const struct row *row, int column)
{
	return column >= 0 && column < row->count ? row->cells[column] : NULL;
}

/* who parts columns by semicolons writes "0,25" */
static const char *number_of(const struct row *row, int column)
{
	char *cell = cell_of(row, column);
	char *comma = cell && row->separator == ';' ? strchr(cell, ',') : NULL;

	if (comma)
		*comma = '.';
	return cell;
}

/* "@timestamp", and not "12.5", "-1" or a whole sentence */
static bool is_name(const char *cell)
{
	unsigned char first = *cell;

	return (isalpha(first) || first >= 0x80 || (first && strchr("@_#$", first))) &&
	       strlen(cell) < NAME_MOST;
}

/* do these cells name columns, whatever they are? The first one may be a blank */
static bool are_names(const struct row *row)
{
	for (int i = 0; i < row->count; i++)
		if (!is_name(row->cells[i]) && (i || *row->cells[i]))
			return false;
	return row->count > 1;
}

static void puzzle(struct reply_log *log, const struct row *row,
		   const struct request_columns *found)
{
	char *names = NULL;
	size_t size;
	FILE *out = or_exit(open_memstream(&names, &size));

	for (int i = 0; i < row->count && ftell(out) < NAMES_MOST; i++)
		fprintf(out, "%s%s", i ? ", " : "", row->cells[i]);
	fclose(out);
	log_puzzle_fields(log, "column", names, found->time >= 0, found->latency >= 0);
	log->columns.puzzling = true;
	free(names);
}

/* does this line name the columns? */
static bool is_header(struct reply_log *log, const struct row *row)
{
	const struct request_fields *fields = &log->fields;
	struct request_columns found = { .time = -1, .latency = -1, .target = -1 };
	__u64 unit_ns;

	for (int i = 0; i < row->count; i++) {
		const char *name = row->cells[i];

		if (found.time < 0 && field_is_time(fields, name))
			found.time = i;
		if (found.target < 0 && field_is_target(fields, name))
			found.target = i;
		if (found.latency >= 0 || !field_is_latency(fields, name, &unit_ns))
			continue;
		found.latency = i;
		found.unit_ns = unit_ns;
	}
	if (found.time >= 0 && found.latency >= 0) {
		log->columns = found;
		return true;
	}
	if (!log->columns.separator && are_names(row))
		puzzle(log, row, &found);
	return false;
}

static bool is_headerless(struct request_columns *columns, const struct row *row)
{
	__u64 ns, grain_ns;

	if (row->count < 2 || row->count > 3 || !stamp_read(number_of(row, 0), &ns, &grain_ns) ||
	    latency_read(number_of(row, 1), 0, &ns) == LATENCY_WRONG)
		return false;
	*columns = (struct request_columns){ .latency = 1, .target = row->count > 2 ? 2 : -1 };
	return true;
}

static int take_row(struct reply_log *log, const struct row *row)
{
	const char *time = number_of(row, log->columns.time);
	const char *latency = number_of(row, log->columns.latency);

	if (!time || !latency)
		return LINE_FOREIGN;
	return request_take(log, time, latency, log->columns.unit_ns,
			    cell_of(row, log->columns.target));
}

/* a line of names that are not known may not be passed over */
static int take_headerless(struct reply_log *log, const struct row *row)
{
	bool puzzling = log->columns.puzzling;

	if (!is_headerless(&log->columns, row))
		return LINE_FOREIGN;
	return puzzling ? log_puzzle_tell(log) : take_row(log, row);
}

/* finds out how a line is cut; a header says nothing else */
static int find_columns(struct reply_log *log, const char *line, char separator)
{
	struct request_columns *columns = &log->columns;
	char *copy = copy_text(line);
	int ret = LINE_FOREIGN;
	struct row row;

	if (cut(&row, copy, separator)) {
		if (is_header(log, &row))
			ret = EXIT_DONE;
		else if (!log->fields.time && !columns->separator)
			ret = take_headerless(log, &row);
		if (ret != LINE_FOREIGN)
			columns->separator = separator;
	}
	free(copy);
	return ret;
}

/* "sep=;" before the names, as spreadsheets want it */
static bool names_separator(const char *line)
{
	return line_begins(line, "sep=") && line[strlen("sep=")] &&
	       memchr(separators, line[strlen("sep=")], sizeof(separators)) &&
	       !line[strlen("sep=") + 1];
}

/* ",,": are all cells empty? */
static bool is_empty(const char *line)
{
	bool empty = false;
	struct row row;

	if (line[strspn(line, " \t;,\"")])
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(separators) && !empty; i++) {
		char *copy = copy_text(line);

		empty = cut(&row, copy, separators[i]);
		for (int k = 0; empty && k < row.count; k++)
			empty = !*row.cells[k];
		free(copy);
	}
	return empty;
}

int csv_take(struct reply_log *log, char *line, __u64 now_ns)
{
	int ret = LINE_FOREIGN;
	struct row row;
	char *copy;

	(void)now_ns;
	if (names_separator(line) || is_empty(line))
		return LINE_ASIDE;
	if (log->columns.separator) {
		copy = copy_text(line);
		if (cut(&row, copy, log->columns.separator))
			ret = take_row(log, &row);
		free(copy);
	}
	/* another file's header may follow in the same one */
	for (size_t i = 0; i < ARRAY_SIZE(separators) && ret == LINE_FOREIGN; i++)
		ret = find_columns(log, line, separators[i]);
	return ret;
}
