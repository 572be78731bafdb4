// SPDX-License-Identifier: GPL-2.0-only
/* irqoff-serve: what `irqoff serve` becomes. Its command line is that command's. */
#include <locale.h>
#include <string.h>

#include "base/say.h"
#include "serve/server.h"

static const struct command *own_command(void)
{
	const struct command *command = commands;

	while (strcmp(command->name, "serve"))
		command++;
	return command;
}

int main(int argc, char **argv)
{
	struct serve serve;
	bool done;
	int ret;

	setlocale(LC_CTYPE, "");
	ret = serve_parse(&serve, own_command(), argc, argv, &done);
	if (!ret && !done)
		ret = server_run(&serve);
	if ((fflush(stdout) || ferror(stdout)) && !ret)
		ret = failed("could not write the output");
	return ret;
}
