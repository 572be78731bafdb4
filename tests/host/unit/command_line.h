/* SPDX-License-Identifier: GPL-2.0-only */
/* irqoff, run with a command line in this process. */
#ifndef _COMMAND_LINE_H
#define _COMMAND_LINE_H

#include <stdio.h>

/* what the last command line wrote to standard output and standard error */
extern char output[16384], errors[16384];

/* words are separated by spaces; both return the exit status */
int run(const char *line);
int run_into(FILE *out_file, const char *line);

/* prints a command line and runs it, with that exit status */
__attribute((format(printf, 2, 3)))
void assert_run(int status, const char *format, ...);

/* @format has a %s, or two, for the path */
void run_with(const char *format, const char *path);
void assert_refused(const char *format, const char *path, const char *wanted);
void assert_cannot_write(const char *line);
void assert_cannot_write_but(const char *line, int wanted);

/* makes a file of a mkstemp() name */
void write_text(char *path, const char *text);

#endif /* _COMMAND_LINE_H */
