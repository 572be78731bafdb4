// SPDX-License-Identifier: GPL-2.0-only
/*
 * serve: metrics and profiles over HTTP. Another program does it, so that this one, which runs
 * as root, is not linked with a server and what that brings.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent_outputs.h"
#include "base/program.h"
#include "base/say.h"
#include "cli/serve.h"

#define ADDRESS		"127.0.0.1:10475"
#define DIRECTORY	"/var/lib/trace-irqoff"
#define PROGRAM		"irqoff-serve"

const char serve_notes[] =
	"Answers GET and HEAD by HTTP, without encryption and without asking who it is:\n"
	"  /metrics  what the agent counted, for Prometheus\n"
	"  /debug/pprof/irqoff?seconds=N  stalls of the last N seconds, as a profile\n"
	"N is 60 by default, and 86400 at most. A profile comes at once, and one is made at a\n"
	"time.\n\n"
	"ADDRESS is 127.0.0.1:10475 by default. It has numbers, and no names: [::1]:10475 and\n"
	"0.0.0.0:10475 are others. Whoever reaches it reads names of functions, modules,\n"
	"interrupts and of the node. A socket that a service manager hands over (LISTEN_FDS)\n"
	"is taken in its place.\n\n"
	"irqoff agent writes what is read: FILE is /run/trace-irqoff/state.json and DIR, with\n"
	"the captures, /var/lib/trace-irqoff by default. Without FILE, irqoff_up is 0. irqoff\n"
	"serve needs no capability, and no module. It ends with status 0 by SIGTERM.\n\n"
	"The program is irqoff-serve, of the package trace-irqoff-serve.\n";

/* one that was named; the usual one is made by the first agent, which may be yet to come */
static int check_directory(const char *name)
{
	struct stat found;

	if (stat(name, &found))
		return failed("could not open %s: %s; name the directory that the agent writes to",
			      name, strerror(errno));
	if (!S_ISDIR(found.st_mode))
		return failed("%s is no directory; name the one that the agent writes to", name);
	return EXIT_DONE;
}

/**
 * serve_parse() - read the command line
 * @serve: the result
 * @command: the command
 * @argc: of the arguments
 * @argv: arguments; the first is the program's name
 * @done: set where that is all
 *
 * Return: an exit status.
 */
int serve_parse(struct serve *serve, const struct command *command, int argc, char **argv,
		bool *done)
{
	int option;

	*serve = (struct serve){ .state = AGENT_STATE, .directory = DIRECTORY };
	*done = false;
	address_parse(&serve->address, ADDRESS);
	while ((option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG) {
			*done = true;
			return option_status(option);
		}
		if (option == OPTION_STATE) {
			serve->state = optarg;
			if (!*optarg)
				return misuse("--state takes a file");
			continue;
		}
		serve->typed = true;
		if (!address_parse(&serve->address, optarg))
			return misuse("--listen takes 127.0.0.1:10475 or [::1]:10475, not '%s'",
				      optarg);
	}
	if (optind == argc)
		return EXIT_DONE;
	serve->directory = argv[optind++];
	if (optind < argc)
		return misuse("serve takes one directory, not '%s' as well", argv[optind]);
	return check_directory(serve->directory);
}

/* returns where there is no such program, or where it cannot be run */
static void become(char *path, char **argv)
{
	argv[0] = path;
	execv(path, argv);
}

/* where `make install` puts it, or beside irqoff where that is built */
static int become_server(char **argv)
{
	char directory[PATH_MAX], *beside, *installed;
	int error;

	if (!program_directory(directory))
		return failed("could not read /proc/self/exe: %s", strerror(errno));
	beside = print_text("%s/" PROGRAM, directory);
	cut_name(directory);
	installed = print_text("%s/lib/trace-irqoff/" PROGRAM, directory);
	become(installed, argv);
	error = errno;
	if (error == ENOENT) {
		become(beside, argv);
		error = errno;
	}
	if (error != ENOENT)
		failed("could not run %s: %s", installed, strerror(error));
	else
		failed(PROGRAM " is not installed; "
		       "install trace-irqoff-serve, or build irqoff where libmicrohttpd is");
	free(installed);
	free(beside);
	return EXIT_FAILED;
}

int cmd_serve(const struct command *command, int argc, char **argv)
{
	char **words = alloc(argc + 1, sizeof(*words));
	struct serve serve;
	bool done;
	int ret;

	/* getopt_long() changes their order */
	memcpy(words, argv, argc * sizeof(*words));
	ret = serve_parse(&serve, command, argc, argv, &done);
	if (!ret && !done)
		ret = become_server(words);
	free(words);
	return ret;
}
