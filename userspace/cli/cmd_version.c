// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "cli/commands.h"
#include "version.h"

/* the module's version is read from sysfs, which needs no privileges */
static void print_module_version(void)
{
	FILE *file = fopen("/sys/module/trace_irqoff/version", "re");
	char version[32] = "";

	if (!file) {
		puts("trace_irqoff is not loaded");
		return;
	}
	if (fgets(version, sizeof(version), file))
		version[strcspn(version, "\n")] = '\0';
	fclose(file);
	printf("trace_irqoff %s\n", version);
}

int cmd_version(const struct command *command, int argc, char **argv)
{
	int done, ret = only_help(command, argc, argv, &done);

	if (!ret && !done)
		ret = no_operands(command, argc, argv);
	if (ret || done)
		return ret;
	printf("irqoff %s, interface %u\n", TRACE_IRQOFF_VERSION, TRACE_IRQOFF_API);
	print_module_version();
	return EXIT_DONE;
}
