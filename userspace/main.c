// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "say.h"
#include "source.h"
#include "version.h"

static const struct command commands[] = {
	{ "report", "[OPTION]...", "Sum up who held interrupts or softirqs off (the default)",
	  TAKES_FILTER | TAKES_GROUPS | TAKES_JSON, report_notes, cmd_report },
	{ "list", "[OPTION]...", "Show each record, the newest last",
	  TAKES_FILTER | TAKES_VERBOSE | TAKES_LINES, list_notes, cmd_list },
	{ "hist", "[OPTION]...", "Show how long stalls lasted, as histograms",
	  TAKES_PER_CPU | TAKES_JSON, hist_notes, cmd_hist },
	{ "status", "[OPTION]...", "Show state, settings, losses, and what watching costs",
	  TAKES_JSON, status_notes, cmd_status },
	{ "start", "[KNOB=VALUE]...", "Begin to watch, with these settings",
	  0, start_notes, cmd_start },
	{ "stop", "", "Stop watching; records stay", 0, NULL, cmd_stop },
	{ "set", "KNOB=VALUE...", "Change settings", 0, set_notes, cmd_set },
	{ "clear", "", "Drop the records; histograms and counters stay", 0, NULL, cmd_clear },
};

static void print_usage(void)
{
	puts("usage: irqoff [COMMAND] [ARGUMENT]...\n\n"
	     "Tells which kernel code kept CPUs from taking interrupts or running softirqs, as recorded\n"
	     "by the kernel module trace_irqoff.\n");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		printf("  %-7s %-16s %s\n", commands[i].name, commands[i].arguments,
		       commands[i].summary);
	puts("\n  -h, --help     this, or with a COMMAND its options\n"
	     "  -V, --version  versions of irqoff, of the module if it is loaded, and of the interface\n\n"
	     "Exit status: 0 done, 1 failed, 2 wrong usage.");
}

static int print_versions(void)
{
	struct source *source = NULL;
	struct model model = { 0 };
	int ret = EXIT_DONE;

	printf("irqoff %s, interface %u\n", TRACE_IRQOFF_VERSION, TRACE_IRQOFF_API);
	if (!source_module_loaded()) {
		puts("trace_irqoff is not loaded");
		return EXIT_DONE;
	}
	ret = source_open(&source);
	if (!ret)
		ret = source_config(source, &model);
	if (!ret)
		printf("trace_irqoff %s, interface %u\n", model.config.module_version,
		       model.config.version);
	source_close(source);
	model_free(&model);
	return ret;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

static int run(int argc, char **argv)
{
	const struct command *command = &commands[0];

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		print_usage();
		return EXIT_DONE;
	}
	if (argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")))
		return print_versions();
	if (argc > 1 && *argv[1] != '-') {
		command = find_command(argv[1]);
		if (!command)
			return misuse("there is no command '%s' (irqoff --help)", argv[1]);
		argc--;
		argv++;
	}
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

	/* glibc: begin anew */
	optind = 0;
	ret = run(argc, argv);
	if ((fflush(stdout) || ferror(stdout)) && !ret)
		ret = failed("could not write the output: %s", strerror(errno));
	return ret;
}

#ifndef IRQOFF_TEST
int main(int argc, char **argv)
{
	return irqoff_main(argc, argv);
}
#endif
