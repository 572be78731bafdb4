// SPDX-License-Identifier: GPL-2.0-only
/*
 * A misspelt parameter is a line of the kernel's log, and the module is loaded without it. The
 * module does not learn of it. Its own line at the end of its load tells which load that was.
 */
#include <ctype.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <syslog.h>

#include "base/capability.h"
#include "base/say.h"
#include "model/ignored.h"

/* actions of syslog(2) */
#define READ_ALL	3
#define SIZE_BUFFER	10

#define MODULE		"trace_irqoff: "
#define UNKNOWN		"unknown parameter '"
#define LOADED		"loaded, version "

/* what the kernel or the module says of the module in a line of the log; NULL: nothing */
static const char *said(const char *line, int *level)
{
	/* processes write to the log too, with another facility than 0 */
	if (line[0] != '<' || line[1] < '0' || line[1] > '7' || line[2] != '>')
		return NULL;
	*level = line[1] - '0';
	line += 3;
	/* the time, and with CONFIG_PRINTK_CALLER the task */
	while (*line == '[' && strstr(line, "] "))
		line = strstr(line, "] ") + 2;
	return strncmp(line, MODULE, strlen(MODULE)) ? NULL : line + strlen(MODULE);
}

/* adds the name that ends before the next quote; one that does not fit is left out */
static void add(char names[IGNORED_LEN], const char *name)
{
	size_t len = strcspn(name, "'"), used = strlen(names);

	if (!len || used + !!used + len >= IGNORED_LEN)
		return;
	if (used)
		names[used++] = ' ';
	for (size_t i = 0; i < len; i++)
		names[used++] = isgraph((unsigned char)name[i]) ? name[i] : '?';
	names[used] = 0;
}

/**
 * ignored_find() - find what the last load of the module ignored
 * @names: set to the names of parameters, with spaces between
 * @log: the kernel's log as syslog(2) has it; overwritten
 */
void ignored_find(char names[IGNORED_LEN], char *log)
{
	char pending[IGNORED_LEN] = "";

	*names = 0;
	for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n")) {
		int level;
		const char *text = said(line, &level);

		if (!text)
			continue;
		if (!strncmp(text, UNKNOWN, strlen(UNKNOWN))) {
			add(pending, text + strlen(UNKNOWN));
		} else if (!strncmp(text, LOADED, strlen(LOADED))) {
			strcpy(names, pending);
			*pending = 0;
		} else if (level <= LOG_ERR) {
			/* why it is not loaded */
			*pending = 0;
		}
	}
}

/**
 * ignored_read() - ask the kernel's log for them
 * @names: as of ignored_find(); "" where the log may not be read, or does not go back so far
 */
void ignored_read(char names[IGNORED_LEN])
{
	char *log;
	int size;

	*names = 0;
	if (!capability_has(CAP_SYSLOG))
		return;
	size = klogctl(SIZE_BUFFER, NULL, 0);
	if (size <= 0)
		return;
	log = alloc(size + 1, 1);
	size = klogctl(READ_ALL, log, size);
	if (size > 0)
		ignored_find(names, log);
	free(log);
}
