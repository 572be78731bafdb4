// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options of each command. Parsing (arguments.c), help (help.c) and completion
 * (completion.c) all come from these tables.
 */
#include <string.h>

#include "agent/agent_outputs.h"
#include "cli/commands.h"
#include "group/summary.h"
#include "output/out.h"

static const char *name_of(const struct column *all, unsigned int i)
{
	while (i-- && all->name)
		all++;
	return all->name;
}

/* the keys, and then "stack" */
static const char *by_word(unsigned int i)
{
	return i == SUMMARY_KEYS ? "stack" : summary_key_word(i);
}

static const char *report_column(unsigned int i)
{
	return name_of(report_columns, i);
}

static const char *list_column(unsigned int i)
{
	return name_of(list_columns, i);
}

static const char *correlate_column(unsigned int i)
{
	return name_of(correlate_columns, i);
}

static const char *status_column(unsigned int i)
{
	return name_of(status_columns, i);
}

/* completion puts files in the place of this word */
const char *file_word(unsigned int i)
{
	return i ? NULL : "FILE";
}

static const struct option_row input_rows[] = {
	{ OPTION_INPUT, "input", "FILE...",
	  "read captures (irqoff save), not the module; - is standard input", file_word },
	{ 0 }
};

static const struct option_row baseline_rows[] = {
	{ OPTION_BASELINE, "baseline", "FILE...",
	  "tell which culprits are more frequent in the captures of -i than in these",
	  file_word },
	{ 0 }
};

static const struct option_row filter_rows[] = {
	{ FILTER_SINCE, "since", "WHEN", "stalls that ended at WHEN or later", NULL },
	{ FILTER_UNTIL, "until", "WHEN", "stalls that ended by WHEN", NULL },
	{ FILTER_CPU, "cpu", "LIST", "stalls of these CPUs, such as 0-3,8", NULL },
	{ FILTER_CLASS, "class", "LIST", "stalls of these classes", filter_class_word },
	{ FILTER_MIN, "min", "LENGTH",
	  "stalls that lasted at least LENGTH, such as 50ms (ns, us, ms, s)", NULL },
	{ FILTER_NEWEST, NULL, "NUMBER", "only the newest NUMBER of these stalls", NULL },
	{ 0 }
};

static const struct option_row group_rows[] = {
	{ OPTION_BY, "by", "LIST",
	  "sum up by these keys, or by stack alone, instead of culprit,class", by_word },
	{ OPTION_SORT, "sort", "WHAT", "put the groups with the largest WHAT first",
	  summary_sort_word },
	{ 0 }
};

#define COLUMNS_ROW(column) \
	{ OPTION_COLUMNS, "columns", "LIST", \
	  "print these columns; +LIST adds them to the usual ones", column }

static const struct option_row report_rows[] = {
	{ OPTION_TOP, "top", "NUMBER", "print only the first NUMBER groups", NULL },
	COLUMNS_ROW(report_column),
	{ 0 }
};

static const struct option_row list_rows[] = {
	COLUMNS_ROW(list_column),
	{ OPTION_TREE, "tree", NULL, "print victims under the stall that they waited for", NULL },
	{ 0 }
};

static const struct option_row watch_filter_rows[] = {
	{ FILTER_SINCE, "since", "WHEN",
	  "begin with the stalls that ended at WHEN or later, and are still kept", NULL },
	{ FILTER_UNTIL, "until", "WHEN", "end at WHEN, a date and time in the future", NULL },
	{ FILTER_CPU, "cpu", "LIST", "stalls of these CPUs, such as 0-3,8", NULL },
	{ FILTER_CLASS, "class", "LIST", "stalls of these classes", filter_class_word },
	{ FILTER_MIN, "min", "LENGTH",
	  "stalls that lasted at least LENGTH, such as 50ms (ns, us, ms, s)", NULL },
	{ 0 }
};

static const struct option_row watch_rows[] = {
	{ OPTION_OPEN, "open", NULL, "show a stall once while it goes on, too", NULL },
	{ FILTER_NEWEST, NULL, "NUMBER", "end after NUMBER stalls", NULL },
	{ OPTION_FOR, "for", "TIME", "end after TIME, such as 10m", NULL },
	{ OPTION_FAIL_ABOVE, "fail-above", "LENGTH",
	  "end with status 3 at the first stall that lasted longer than LENGTH", NULL },
	{ OPTION_EXEC, "exec", "CMD",
	  "run CMD for a stall, which it reads as JSON from standard input", NULL },
	{ OPTION_EXEC_EVERY, "exec-every", "TIME",
	  "run CMD at most once in TIME (default 60s)", NULL },
	COLUMNS_ROW(list_column),
	{ 0 }
};

static const struct option_row export_rows[] = {
	{ OPTION_FORMAT, "format", "FORMAT", "what to write", export_word },
	{ OPTION_BY, "by", "LIST",
	  "with folded: the first frames of each stack, instead of comm", summary_key_word },
	{ OPTION_OUTPUT, "output", "FILE", "write FILE, not standard output", file_word },
	{ OPTION_FORCE, "force", NULL, "replace FILE if it exists", NULL },
	{ OPTION_PARTIAL, "partial", NULL,
	  "write what there is, also where a capture cannot be read", NULL },
	{ 0 }
};

static const struct option_row alibi_rows[] = {
	{ FILTER_SINCE, "since", "WHEN", "when the time that is asked about begins", NULL },
	{ FILTER_UNTIL, "until", "WHEN", "when it ends (default: now, or when a capture was saved)",
	  NULL },
	{ FILTER_CPU, "cpu", "LIST",
	  "ask about these CPUs, such as 0-3,8 (default: all that are online)", NULL },
	{ OPTION_DEV, "dev", "NAME",
	  "ask about the CPUs that take the packets of this network device", NULL },
	{ OPTION_OVER, "min", "LENGTH", "ask about stalls of LENGTH or longer, such as 5ms",
	  NULL },
	{ 0 }
};

/* what these were called before other commands had them; help and completion leave them out */
static const struct option_row alibi_older_rows[] = {
	{ FILTER_SINCE, "from", "WHEN", NULL, NULL },
	{ FILTER_UNTIL, "to", "WHEN", NULL, NULL },
	{ OPTION_OVER, "over", "LENGTH", NULL, NULL },
	{ 0 }
};

static const struct option_row correlate_rows[] = {
	{ OPTION_OVER, "over", "LENGTH",
	  "replies are slow that took LENGTH or longer (default 10ms)", NULL },
	{ FILTER_CPU, "cpu", "LIST", "ask these CPUs, which took the packets, such as 0-3,8",
	  NULL },
	{ OPTION_DEV, "dev", "NAME", "ask the CPUs that serve this network device", NULL },
	{ OPTION_OFFSET, "offset", "TIME",
	  "the log's clock is TIME ahead of the captures', such as 840ms, -1.2s or 0", NULL },
	{ OPTION_TIME_IS, "time-is", "POINT",
	  "whether a request log's times are when requests began (default) or ended",
	  time_is_word },
	{ OPTION_UNIT, "unit", "UNIT", "the unit of a request log's latencies",
	  latency_unit_word },
	{ OPTION_FIELDS, "fields", "LIST",
	  "the names of TIME,LATENCY[,TARGET] in a request log", NULL },
	{ OPTION_START, "start", "WHEN",
	  "when hping3 sent its first packet, such as '2026-11-21 07:00:00.25'", NULL },
	{ OPTION_INTERVAL, "interval", "TIME",
	  "the time between hping3's packets, such as 10ms", NULL },
	COLUMNS_ROW(correlate_column),
	{ 0 }
};

static const struct option_row status_rows[] = { COLUMNS_ROW(status_column), { 0 } };

static const struct option_row screen_rows[] = {
	{ OPTION_COLOR, "color", "[=WHEN]",
	  "use colours (default auto, --color alone means always)", screen_color_word },
	{ OPTION_NO_PAGER, "no-pager", NULL,
	  "do not print through $IRQOFF_PAGER, $PAGER or less", NULL },
	{ 0 }
};

static const struct option_row verbose_rows[] = {
	{ OPTION_VERBOSE, "verbose", NULL, "print all evidence of each record, as show does",
	  NULL },
	{ 0 }
};

static const struct option_row whole_rows[] = {
	{ OPTION_VERBOSE, "verbose", NULL,
	  "print more than one screen: whole remedies, stacks, all causes", NULL },
	{ 0 }
};

static const struct option_row per_cpu_rows[] = {
	{ OPTION_PER_CPU, "per-cpu", NULL, "print each CPU's histograms, not their sum", NULL },
	{ 0 }
};

static const struct option_row json_rows[] = {
	{ OPTION_JSON, "json", NULL, "print JSON, for programs", NULL },
	{ 0 }
};

static const struct option_row free_rows[] = {
	{ OPTION_FREE, "free", NULL, "give the memory of the records back, which drops them",
	  NULL },
	{ 0 }
};

#define STRIP_ROW \
	{ OPTION_STRIP, "strip", NULL, \
	  "leave out addresses, the node's name, names of tasks, and cgroups", NULL }

#define NETNS_ROW \
	{ OPTION_NETNS, "netns", "NAME", \
	  "write what NAME in /run/netns has counted, too; or a process's, or 'all'", NULL }

static const struct option_row save_rows[] = {
	NETNS_ROW,
	STRIP_ROW,
	{ OPTION_FORCE, "force", NULL, "replace FILE if it exists", NULL },
	{ 0 }
};

#define COUNTERS_ROW \
	{ OPTION_COUNTERS, "counters", "TIME", \
	  "write settings, counters and histograms every TIME (default 60s)", NULL }

static const struct option_row record_rows[] = {
	{ OPTION_FOR, "for", "TIME", "end after TIME, such as 10m", NULL },
	{ OPTION_ROTATE, "rotate", "SIZE:NUMBER",
	  "write several files in turn, each of SIZE, and keep the newest NUMBER", NULL },
	COUNTERS_ROW,
	NETNS_ROW,
	STRIP_ROW,
	{ 0 }
};

#define STATE_ROW(text) \
	{ OPTION_STATE, "state", "FILE", \
	  text " (default " AGENT_STATE ")", file_word }

static const struct option_row agent_rows[] = {
	{ OPTION_CONFIG, "config", "FILE",
	  "take all settings from FILE, and begin to watch; no option beside it", file_word },
	{ OPTION_ROTATE, "rotate", "SIZE:NUMBER",
	  "write files of SIZE, and keep the newest NUMBER (default 64M:10)", NULL },
	COUNTERS_ROW,
	NETNS_ROW,
	STRIP_ROW,
	{ OPTION_TEXTFILE, "textfile", "FILE",
	  "keep metrics in FILE, for the textfile collector of node_exporter", file_word },
	{ OPTION_LINES, "lines", NULL, "print a flat line of JSON for each stall", NULL },
	STATE_ROW("keep the counters in FILE"),
	{ 0 }
};

static const struct option_row check_rows[] = {
	{ FILTER_SINCE, "since", "TIME", "ask about the last TIME (default 5m)", NULL },
	{ OPTION_MAX, "max", "LENGTH",
	  "a stall that lasted longer than LENGTH is a problem (default 100ms)", NULL },
	{ FILTER_CLASS, "class", "LIST", "ask about stalls of these classes", filter_class_word },
	{ OPTION_NAGIOS, "nagios", NULL,
	  "end with 2 at a problem, and with 3 where that is not known", NULL },
	STATE_ROW("read the counters of an agent that keeps them in FILE"),
	{ 0 }
};

static const struct option_row serve_rows[] = {
	{ OPTION_LISTEN, "listen", "ADDRESS", "listen there (default 127.0.0.1:10475)", NULL },
	STATE_ROW("read the counters of an agent that keeps them in FILE"),
	{ 0 }
};

static const char *json_word(unsigned int i)
{
	return i ? NULL : "lines";
}

static const struct option_row lines_rows[] = {
	{ OPTION_JSON, "json", "[=lines]",
	  "print JSON, for programs; =lines prints a line per record", json_word },
	{ 0 }
};

static const struct option_row help_rows[] = {
	{ OPTION_HELP, "help", NULL, "print this help", NULL },
	{ 0 }
};

const struct option_row * const report_options[] = {
	input_rows, baseline_rows, filter_rows, group_rows, report_rows, whole_rows,
	json_rows, screen_rows, help_rows, NULL
};

const struct option_row * const list_options[] = {
	input_rows, filter_rows, list_rows, verbose_rows, lines_rows, screen_rows, help_rows, NULL
};

const struct option_row * const show_options[] = {
	input_rows, lines_rows, screen_rows, help_rows, NULL
};

const struct option_row * const watch_options[] = {
	watch_filter_rows, watch_rows, verbose_rows, lines_rows, help_rows, NULL
};

const struct option_row * const share_options[] = { input_rows, filter_rows, help_rows, NULL };

const struct option_row * const export_options[] = {
	input_rows, export_rows, filter_rows, help_rows, NULL
};

const struct option_row * const alibi_options[] = {
	input_rows, alibi_rows, alibi_older_rows, json_rows, screen_rows, help_rows, NULL
};

const struct option_row * const correlate_options[] = {
	input_rows, correlate_rows, json_rows, screen_rows, help_rows, NULL
};

const struct option_row * const hist_options[] = {
	input_rows, per_cpu_rows, json_rows, screen_rows, help_rows, NULL
};

const struct option_row * const status_options[] = {
	input_rows, status_rows, json_rows, screen_rows, help_rows, NULL
};

const struct option_row * const causes_options[] = {
	json_rows, screen_rows, help_rows, NULL
};

const struct option_row * const stop_options[] = { free_rows, help_rows, NULL };

const struct option_row * const save_options[] = { save_rows, help_rows, NULL };

const struct option_row * const record_options[] = { record_rows, help_rows, NULL };
const struct option_row * const agent_options[] = { agent_rows, help_rows, NULL };

const struct option_row * const check_options[] = { check_rows, help_rows, NULL };
const struct option_row * const serve_options[] = { serve_rows, help_rows, NULL };

const struct option_row * const plain_options[] = { help_rows, NULL };

/**
 * option_row() - go through the options of a command
 * @command: the command
 * @i: counts from 0
 *
 * Return: the row, NULL behind the last one.
 */
const struct option_row *option_row(const struct command *command, size_t i)
{
	for (const struct option_row * const *rows = command->options; *rows; rows++)
		for (const struct option_row *row = *rows; row->option; row++)
			if (!i--)
				return row;
	return NULL;
}

/* the row of an option; NULL where the command does not take it */
const struct option_row *option_find(const struct command *command, int option)
{
	const struct option_row *row;

	for (size_t i = 0; (row = option_row(command, i)); i++)
		if (row->option == option)
			break;
	return row;
}

/**
 * option_heading() - what stands above a column that has another name for -o
 * @row: an option
 * @i: the place of one of its words
 *
 * Return: the heading; NULL: the name is in it, or the word is no column's.
 */
const char *option_heading(const struct option_row *row, unsigned int i)
{
	const struct column *column = row->values == report_column ? report_columns :
				      row->values == list_column ? list_columns :
				      row->values == correlate_column ? correlate_columns :
				      row->values == status_column ? status_columns : NULL;
	size_t len;

	if (!column)
		return NULL;
	column += i;
	len = strlen(column->name);
	/* "MAX ms" says max */
	if (!strncasecmp(column->heading, column->name, len) &&
	    (!column->heading[len] || column->heading[len] == ' '))
		return NULL;
	return column->heading;
}
