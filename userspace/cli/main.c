// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "base/suggest.h"
#include "cli/commands.h"
#include "model/knob_words.h"
#include "terminal/pager.h"

/* the first one is the default */
const struct command commands[] = {
	{ "report", "[OPTION]...", "Sum up who held interrupts or softirqs off (the default)",
	  report_options, NULL, report_notes, cmd_report },
	{ "list", "[OPTION]... [RECORD]...", "Show each record, the newest last",
	  list_options, NULL, list_notes, cmd_list },
	{ "show", "[OPTION]... RECORD...", "Show records whole, with all evidence",
	  show_options, NULL, show_notes, cmd_show },
	{ "watch", "[OPTION]...", "Show each stall as it ends, and run a command for it",
	  watch_options, NULL, watch_notes, cmd_watch },
	{ "share", "[OPTION]...", "Print a summary to paste into an incident channel",
	  share_options, NULL, share_notes, cmd_share },
	{ "alibi", "[OPTION]... --since WHEN",
	  "Tell whether a time was free of long stalls, or that nobody can tell", alibi_options,
	  NULL, alibi_notes, cmd_alibi },
	{ "correlate", "[OPTION]... LOG...",
	  "Tell which stall, if any, made each slow ping or request slow",
	  correlate_options, file_word, correlate_notes, cmd_correlate },
	{ "start", "[KNOB=VALUE]...", "Begin to watch, with these settings",
	  plain_options, knob_word, start_notes, cmd_start },
	{ "stop", "[--free]", "Stop watching; records stay, unless --free is given",
	  stop_options, NULL, stop_notes, cmd_stop },
	{ "status", "[OPTION]...", "Show state, settings, losses, and what watching costs",
	  status_options, NULL, status_notes, cmd_status },
	{ "save", "[OPTION]... FILE", "Write what there is now to a capture, which -i reads",
	  save_options, file_word, save_notes, cmd_save },
	{ "record", "[OPTION]... FILE", "Write each stall to a capture as it ends",
	  record_options, file_word, record_notes, cmd_record },
	{ "set", "KNOB=VALUE...", "Change settings", plain_options, knob_word, set_notes,
	  cmd_set },
	{ "clear", "", "Drop the records; hist begins anew, counters go on",
	  plain_options, NULL, NULL, cmd_clear },
	{ "hist", "[OPTION]...", "Show how long stalls lasted, as histograms",
	  hist_options, NULL, hist_notes, cmd_hist },
	{ "causes", "[OPTION]... [ID]...", "Show known causes of stalls, and what to do about them",
	  causes_options, NULL, causes_notes, cmd_causes },
	{ "export", "[OPTION]... --format FORMAT",
	  "Write stalls for flame graphs, pprof or Perfetto", export_options, NULL,
	  export_notes, cmd_export },
	{ "check", "[OPTION]...", "Tell whether this node stalled lately, for programs",
	  check_options, NULL, check_notes, cmd_check },
	{ "agent", "[OPTION]... [DIR]", "Record all stalls for as long as the node runs",
	  agent_options, file_word, agent_notes, cmd_agent },
	{ "serve", "[OPTION]... [DIR]", "Answer Prometheus, and whoever collects profiles",
	  serve_options, file_word, serve_notes, cmd_serve },
	{ "version", "", "Show the versions of irqoff and of the module",
	  plain_options, NULL, NULL, cmd_version },
	{ "help", "[COMMAND]", "Show what commands there are, or what a command takes",
	  plain_options, command_word, NULL, cmd_help },
	{ "completion", "bash", NULL, plain_options, NULL, NULL, cmd_completion },
};

const size_t ncommands = ARRAY_SIZE(commands);

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ncommands; i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

/* the names of the commands that help lists; NULL behind the last one */
const char *command_word(unsigned int i)
{
	return i < ncommands && commands[i].summary ? commands[i].name : NULL;
}

static int unknown_command(const char *name)
{
	const char *meant;

	for (size_t i = 0; i < ncommands; i++) {
		const struct option_row *row = value_option(&commands[i], name);

		/* the first command is meant where none is named */
		if (row)
			return misuse("unknown command '%s'; type %s%s--%s=%s", name,
				      i ? commands[i].name : "", i ? " " : "", row->word, name);
	}
	if (may_be_capture(&commands[0], name))
		return misuse("unknown command '%s'; type irqoff -i %s", name, name);
	meant = suggest(name, command_word);
	if (meant)
		return misuse("unknown command '%s'; did you mean '%s'?", name, meant);
	return misuse("unknown command '%s' (irqoff help lists them)", name);
}

/* irqoff help [COMMAND] */
int cmd_help(const struct command *command, int argc, char **argv)
{
	const struct command *about;
	int done, ret = only_help(command, argc, argv, &done);

	if (ret || done)
		return ret;
	if (optind == argc) {
		print_usage(stdout);
		return EXIT_DONE;
	}
	about = find_command(argv[optind]);
	if (!about)
		return unknown_command(argv[optind]);
	optind++;
	ret = no_operands(command, argc, argv);
	if (!ret)
		print_help(about, stdout);
	return ret;
}

/* is this word a path, or does it end as captures do? */
static bool names_capture(const char *word)
{
	static const char end[] = ".irqoff";
	size_t len = strlen(word);

	return strchr(word, '/') ||
	       (len >= sizeof(end) && !strcmp(word + len - (sizeof(end) - 1), end));
}

/* irqoff FILE, with FILE at @i, is irqoff report -i FILE */
static int report_file(int argc, char **argv, int i)
{
	char **longer = alloc(argc + 2, sizeof(*longer));
	int ret;

	memcpy(longer, argv, i * sizeof(*argv));
	longer[i] = (char[]){ "-i" };
	memcpy(longer + i + 1, argv + i, (argc - i + 1) * sizeof(*argv));
	optind = 0;
	ret = commands[0].run(&commands[0], argc + 1, longer);
	free(longer);
	return ret;
}

static int run(int argc, char **argv)
{
	const struct command *command = &commands[0];
	int i;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		print_usage(stdout);
		return EXIT_DONE;
	}
	if (argc == 2 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))) {
		command = find_command("version");
		argc = 1;
	}
	i = command_index(argc, argv);
	if (i) {
		command = find_command(argv[i]);
		if (!command && names_capture(argv[i]))
			return report_file(argc, argv, i);
		if (!command)
			return unknown_command(argv[i]);
		/* the NULL behind the last argument moves as well */
		memmove(argv + i, argv + i + 1, (argc - i) * sizeof(*argv));
		argc--;
	}
	/* makes glibc's getopt_long() begin anew */
	optind = 0;
	return command->run(command, argc, argv);
}

/**
 * irqoff_main() - the program
 * @argc: number of arguments
 * @argv: arguments; the first is the program's name
 *
 * Return: the exit status.
 */
int irqoff_main(int argc, char **argv)
{
	int ret;

	setlocale(LC_CTYPE, "");
	ret = run(argc, argv);
	if (pager_close())
		return ret;
	/* an answer that nobody could read is none; 1 and 2 have said why already */
	if ((fflush(stdout) || ferror(stdout)) && ret != EXIT_FAILED && ret != EXIT_USAGE)
		ret = failed("could not write the output: %s", strerror(errno));
	return ret;
}

#ifndef IRQOFF_TEST
/* what is opened later is not taken for a standard stream that is closed; that fails as before */
static void hold_streams(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	hold_streams();
	return irqoff_main(argc, argv);
}
#endif
