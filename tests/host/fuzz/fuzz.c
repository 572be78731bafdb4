// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#include <string.h>

#include "base/say.h"

_Noreturn void not_kept(const char *what, const char *file, int line)
{
	fprintf(stderr, "broken promise: %s (%s:%d)\n", what, file, line);
	abort();
}

/* a little-endian number on every machine; missing bytes are 0 */
__u64 take_number(struct input *input, size_t bytes)
{
	struct input piece = take_piece(input, bytes);
	__u64 number = 0;

	for (size_t i = 0; i < piece.size; i++)
		number |= (__u64)piece.data[i] << 8 * i;
	return number;
}

struct input take_piece(struct input *input, size_t most)
{
	struct input piece = { input->data, input->size < most ? input->size : most };

	input->data += piece.size;
	input->size -= piece.size;
	return piece;
}

/* the input up to the next @end, which is dropped, or all of it */
struct input take_until(struct input *input, __u8 end)
{
	const __u8 *found = input->size ? memchr(input->data, end, input->size) : NULL;
	struct input piece = take_piece(input, found ? found - input->data : input->size);

	take_piece(input, !!found);
	return piece;
}

void *copy_of(struct input piece)
{
	void *copy = malloc(piece.size);

	if (piece.size)
		memcpy(copy, piece.data, piece.size);
	return copy;
}

char *text_of(struct input piece)
{
	char *text = malloc(piece.size + 1);

	if (piece.size)
		memcpy(text, piece.data, piece.size);
	text[piece.size] = '\0';
	return text;
}

FILE *file_of(struct input piece)
{
	FILE *file = fmemopen((void *)piece.data, piece.size, "r");

	promise(file);
	return file;
}

FILE *nowhere(void)
{
	static FILE *file;

	if (!file)
		file = fopen("/dev/null", "w");
	promise(file);
	return file;
}
