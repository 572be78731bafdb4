// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "machine.h"
#include "words.h"

static void read_boot_id(struct machine *machine)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!file)
		return;
	if (fgets(machine->boot_id, sizeof(machine->boot_id), file))
		machine->boot_id[strcspn(machine->boot_id, "\n")] = '\0';
	fclose(file);
}

/**
 * machine_read() - which machine and boot this is
 * @machine: the result
 */
void machine_read(struct machine *machine)
{
	struct utsname name;

	*machine = (struct machine){ 0 };
	if (!uname(&name)) {
		snprintf(machine->host, sizeof(machine->host), "%s", name.nodename);
		snprintf(machine->release, sizeof(machine->release), "%s", name.release);
	}
	printable(machine->host);
	read_boot_id(machine);
}
