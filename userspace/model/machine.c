// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "model/labels.h"
#include "model/machine.h"

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

/**
 * machine_line() - the first line of a file of /sys or /proc
 * @path: the file
 *
 * Return: the line without its end, to be freed; NULL where it cannot be read.
 */
char *machine_line(const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	if (!file)
		return NULL;
	if (getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
	} else {
		free(line);
		line = NULL;
	}
	fclose(file);
	return line;
}

/**
 * machine_online() - which CPUs are online
 *
 * Return: their list, in the format of the module's lists, to be freed; NULL where it cannot
 * be read.
 */
char *machine_online(void)
{
	return machine_line("/sys/devices/system/cpu/online");
}
