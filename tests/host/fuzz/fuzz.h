/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the fuzzers: pieces of their input, and a check of promises. */
#ifndef _FUZZ_H
#define _FUZZ_H

#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>

/* separates texts in an input, where a newline may be part of a text */
#define BETWEEN	0xff

/* the first byte of a capture's input has: it is messages, to be packed; what is needed of it */
enum { READ_MESSAGES = 1, READ_GROUPED = 2, READ_NEWEST = 4, READ_NONE = 8 };

struct input {
	const __u8 *data;
	size_t size;
};

/* called by libFuzzer */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const __u8 *data, size_t size);

/* what must hold whatever the input is */
#define promise(what) do { if (!(what)) not_kept(#what, __FILE__, __LINE__); } while (0)

_Noreturn void not_kept(const char *what, const char *file, int line);

__u64 take_number(struct input *input, size_t bytes);
struct input take_piece(struct input *input, size_t most);
struct input take_until(struct input *input, __u8 end);

/* memory of the input's exact size, so that ASan sees reads beyond it */
void *copy_of(struct input piece);
char *text_of(struct input piece);
FILE *file_of(struct input piece);

/* a stream that drops what is printed */
FILE *nowhere(void);

#endif /* _FUZZ_H */
