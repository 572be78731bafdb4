// SPDX-License-Identifier: GPL-2.0-only
/* What nobody understood of a log first, to be told where nothing was understood. */
#include <stdarg.h>
#include <stdlib.h>

#include "base/say.h"
#include "model/words.h"
#include "replies/reply_format.h"

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
