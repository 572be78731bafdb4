/* SPDX-License-Identifier: GPL-2.0-only */
/* What several fuzzers need: pieces of their input, and a promise to keep. */
#ifndef _FUZZ_H
#define _FUZZ_H

#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>

/* in inputs that are texts: between two of them, where a line's end may be part of one */
#define BETWEEN	0xff

struct input {
	const __u8 *data;
	size_t size;
};

/* libFuzzer's */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const __u8 *data, size_t size);

/* what the reader promises whatever it is given */
#define promise(what) do { if (!(what)) not_kept(#what, __FILE__, __LINE__); } while (0)

_Noreturn void not_kept(const char *what, const char *file, int line);

__u64 take_number(struct input *input, size_t bytes);
struct input take_piece(struct input *input, size_t most);
struct input take_until(struct input *input, __u8 end);

/* memory that ends where the input does, so that whoever reads on is seen */
void *copy_of(struct input piece);
char *text_of(struct input piece);
FILE *file_of(struct input piece);

/* where printed text goes */
FILE *nowhere(void);

#endif /* _FUZZ_H */
