// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "machine.h"
#include "words.h"

/* a file's first line; "" where there is no file, or too long a line */
static void read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t len;

	if (!file)
		return;
	if (!fgets(line, size, file))
		*line = '\0';
	len = strcspn(line, "\n");
	/* its newline needs no room */
	if (!line[len] && getc(file) != '\n')
		len = 0;
	line[len] = '\0';
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
	read_line("/proc/sys/kernel/random/boot_id", machine->boot_id, sizeof(machine->boot_id));
	read_line("/sys/devices/system/cpu/possible", machine->cpus, sizeof(machine->cpus));
}
