// SPDX-License-Identifier: GPL-2.0-only
/* The first line that one of the formats knows decides in which format the log is. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clocks.h"
#include "base/moment.h"
#include "base/say.h"
#include "base/units.h"
#include "model/labels.h"
#include "replies/reply_format.h"
#include "replies/reply_log.h"

#define BYTE_ORDER_MARK	"\xef\xbb\xbf"
#define GZIP		"\x1f\x8b"
#define TEXT_MOST	64	/* as much is shown of a line that is not understood */

/* one that knows too much comes after the others */
static int (* const formats[])(struct reply_log *log, char *line, __u64 now_ns) = {
	ping_take, hping_take, fping_take, json_take, csv_take,
};

/**
 * reply_options_check() - is each option about one of the logs?
 * @options: what the user said of them
 * @replies: of logs of which at least the first replies were read
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying which one is not.
 */
int reply_options_check(const struct reply_options *options, const struct replies *replies)
{
	const char *of_requests = options->time_is_given ? "--time-is" :
				  options->unit_ns ? "--unit" :
				  options->fields ? "--fields" : NULL;
	const char *of_hping = options->start_ns ? "--start" :
			       options->interval_ns ? "--interval" : NULL;

	if (of_requests && !replies->any_requests)
		return misuse("%s is about request logs, and no log is one; leave it out",
			      of_requests);
	if (of_hping && !replies->any_hping)
		return misuse("%s is about logs of hping3, and no log is one; leave it out",
			      of_hping);
	return EXIT_DONE;
}

/**
 * reply_log() - begin a log
 * @name: what it is called in messages
 * @options: what the user said of it
 * @replies: where its replies go
 *
 * Return: the log, which ends with reply_log_end(); NULL after saying that @options are wrong.
 */
struct reply_log *reply_log(const char *name, const struct reply_options *options,
			    struct replies *replies)
{
	struct reply_log *log = alloc(1, sizeof(*log));

	log->name = copy_text(name);
	log->options = *options;
	log->replies = replies;
	log->first_reply = replies->count;
	log->others_grain_ns = replies->grain_ns;
	log->status = fields_read(log);
	if (!log->status)
		return log;
	reply_log_end(log);
	return NULL;
}

static void ignore(const struct reply_log *log, const char *line)
{
	struct replies *replies = log->replies;
	size_t len = strcspn(line, "\r\n");

	if (replies->ignored++)
		return;
	len = len < TEXT_MOST ? len : TEXT_MOST;
	replies->first_ignored = log->line;
	replies->ignored_log = printable(copy_text(log->name));
	replies->ignored_text = printable(print_text("%.*s", (int)len, line));
}

static int take(struct reply_log *log, const char *line, __u64 now_ns)
{
	int ret = LINE_FOREIGN;
	char *own;

	for (size_t i = 0; i < ARRAY_SIZE(formats) && ret == LINE_FOREIGN; i++) {
		if (log->take && log->take != formats[i])
			continue;
		own = copy_text(line);
		own[strcspn(own, "\r\n")] = '\0';
		ret = formats[i](log, own, now_ns);
		free(own);
		if (ret != LINE_FOREIGN && ret != LINE_ASIDE)
			log->take = formats[i];
	}
	log->replies->any_requests |= log->take == json_take || log->take == csv_take;
	log->replies->any_hping |= log->take == hping_take;
	return ret;
}

static int is_compressed(const struct reply_log *log)
{
	return failed("%s is compressed; type: zcat %s | irqoff correlate -i CAPTURE -", log->name,
		      log->name);
}

/* is that a line of a tool that prints no time of day? */
static bool of_packets(const char *line)
{
	return line_begins(line, "len=") || line_begins(line, "HPING ") ||
	       line_begins(line, "PING ") || strstr(line, " bytes from ");
}

/*
 * A stamp that somebody put before each line, as ts -s '%.s' does. A line of packets shows
 * that it is one. Returns what follows it.
 */
static const char *take_stamp(struct reply_log *log, const char *line, __u64 *now_ns)
{
	size_t len = strcspn(line, " \t\r\n");
	const char *rest = line + len + strspn(line + len, " \t");
	__u64 stamp_ns, grain_ns;
	char word[64];

	if (*line < '0' || *line > '9' || len >= sizeof(word) ||
	    (!log->stamp_grain_ns && !of_packets(rest)))
		return line;
	snprintf(word, sizeof(word), "%.*s", (int)len, line);
	if (!stamp_read(word, &stamp_ns, &grain_ns))
		return line;
	if (!log->stamp_grain_ns || grain_ns < log->stamp_grain_ns)
		log->stamp_grain_ns = grain_ns;
	*now_ns = stamp_ns;
	log->replies->zoneless |= !stamp_names_zone(word);
	return rest;
}

/* what a terminal shows of the keys that end ping, and that make it tell more */
static const char *skip_keys(const char *line)
{
	while (line_begins(line, "^C") || line_begins(line, "^\\"))
		line += strlen("^C");
	return line;
}

/* "Nov 21 07:00:00 len=40 ip=10.0.0.2 ...", as ts prints without a format */
static bool is_stamped(const char *line)
{
	return (strstr(line, " len=") && strstr(line, " rtt=")) ||
	       (*line != '[' && strstr(line, " bytes from ") && strstr(line, " time="));
}

/**
 * reply_log_line() - take up a line
 * @log: the log
 * @line: the line, with or without its end
 * @now_ns: the wall clock as it was read; 0: it comes from a file
 *
 * Return: an exit status. After an error the log has to be ended.
 */
int reply_log_line(struct reply_log *log, const char *line, __u64 now_ns)
{
	int ret;

	if (!log->line++ && line_begins(line, BYTE_ORDER_MARK))
		line += strlen(BYTE_ORDER_MARK);
	if (log->line == 1 && line_begins(line, GZIP))
		log->status = is_compressed(log);
	if (log->status)
		return log->status;
	line += strspn(line, " ");
	line = take_stamp(log, skip_keys(line), &now_ns);
	if (*line == '#' || !line[strspn(line, "\r\n")])
		return EXIT_DONE;
	ret = take(log, line, now_ns);
	if (ret == LINE_FOREIGN || ret == LINE_UNTOLD) {
		ignore(log, line);
		if (is_stamped(line))
			log_puzzle(log, EXIT_FAILED, "line %u begins with no time that is known; "
				   "one that ts '%%.s' puts there is", log->line);
		return EXIT_DONE;
	}
	if (ret == LINE_ASIDE)
		return EXIT_DONE;
	if (ret)
		log->status = ret;
	return ret;
}

static int says_nothing(const struct reply_log *log)
{
	static const char known[] =
		"ping -D, hping3, fping -D, and CSV or JSON lines with time and latency";

	if (!log->line)
		return failed("%s is empty", log->name);
	if (log->puzzle)
		return log_puzzle_tell(log);
	if (log->fields.time && !log->take)
		return failed("%s: no line of it has the fields of --fields %s", log->name,
			      log->options.fields);
	return failed("%s: no line of it is a reply; irqoff correlate reads %s", log->name, known);
}

/**
 * reply_log_end() - take up what is known only at the end, and free a log
 * @log: the log
 *
 * Return: an exit status: that of an earlier error, or an error where no line was of a reply.
 */
int reply_log_end(struct reply_log *log)
{
	int ret = log->status;

	for (size_t i = 0; i < log->nsequences && !ret; i++)
		if (log->sequences[i].begun)
			sequence_end(&log->sequences[i], log->replies);
	if (!ret)
		fping_end(log);
	if (!ret && !log->said)
		ret = says_nothing(log);
	for (size_t i = 0; i < log->nsequences; i++)
		free(log->sequences[i].missing);
	free(log->sequences);
	free(log->hping);
	fields_free(&log->fields);
	free(log->puzzle);
	free(log->name);
	free(log);
	return ret;
}

/* is a line read as it is written? */
static bool is_live(FILE *file)
{
	struct stat stat;

	return !fstat(fileno(file), &stat) && !S_ISREG(stat.st_mode);
}

static int read_lines(struct reply_log *log, FILE *file, bool live)
{
	char *line = NULL;
	size_t room = 0;
	int ret = EXIT_DONE;

	errno = 0;
	while (!ret && getline(&line, &room, file) > 0)
		ret = reply_log_line(log, line, live ? clock_realtime_ns() : 0);
	if (!ret && ferror(file)) {
		ret = failed("could not read %s: %s", log->name, strerror(errno));
		log->status = ret;
	}
	free(line);
	return ret;
}

/**
 * reply_log_read() - read a log
 * @name: its file; "-": standard input, whose lines are stamped as they are read unless it
 *	is a file
 * @options: what the user said of it
 * @replies: where its replies go
 *
 * Return: an exit status.
 */
int reply_log_read(const char *name, const struct reply_options *options, struct replies *replies)
{
	bool standard = !strcmp(name, "-");
	FILE *file = standard ? stdin : fopen(name, "re");
	struct reply_log *log;

	if (!file)
		return failed("could not open %s: %s", name, strerror(errno));
	log = reply_log(standard ? "standard input" : name, options, replies);
	if (log)
		read_lines(log, file, standard && is_live(file));
	if (!standard)
		fclose(file);
	return log ? reply_log_end(log) : EXIT_USAGE;
}

/* What nobody understood of a log first, to be told where nothing was understood. */

/**
 * log_puzzle() - note what a line lacks, unless an earlier one was noted or a reply was read
 * @log: the log
 * @status: the exit status that goes with it
 * @format: a sentence without its full stop
 */
void log_puzzle(struct reply_log *log, int status, const char *format, ...)
{
	va_list args;

	if (log->said || log->puzzle)
		return;
	va_start(args, format);
	log->puzzle = printable(vprint_text(format, args));
	va_end(args);
	log->puzzle_status = status;
}

/**
 * log_puzzle_fields() - the same of a line whose fields are not known
 * @log: the log
 * @noun: what they are: "column" or "key"
 * @names: what they are called
 * @time: that of the time is known
 * @latency: that of the latency is known
 */
void log_puzzle_fields(struct reply_log *log, const char *noun, const char *names, bool time,
		       bool latency)
{
	const char *what = time ? "a latency" : latency ? "a time" : "a time or a latency";

	if (log->fields.time)
		log_puzzle(log, EXIT_USAGE,
			   "no line of it has the fields of --fields %s; line %u has %s",
			   log->options.fields, log->line, names);
	else
		log_puzzle(log, EXIT_USAGE,
			   "no %s of line %u is known as %s (%s); "
			   "name time and latency with --fields", noun, log->line, what, names);
}

/* says it, and returns its exit status */
int log_puzzle_tell(const struct reply_log *log)
{
	char *text = print_text("%s: %s", log->name, log->puzzle);
	int ret = log->puzzle_status == EXIT_USAGE ? misuse("%s", text) : failed("%s", text);

	free(text);
	return ret;
}
