// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work that is none of the reader's, of the same kind: memory is allocated, numbers are
 * sorted, and bytes are packed and unpacked. Prints the CPU milliseconds that it takes. What
 * other machines on the same host do to caches and clocks slows it as it slows the reader.
 *
 * Usage: yardstick [NUMBERS], 200000 unless told
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <zstd.h>

#define NUMBERS		200000
#define PACKED_EACH	20	/* bytes packed for each number */
#define ROUNDS		4

static int compare(const void *a, const void *b)
{
	const unsigned long long *left = *(unsigned long long *const *)a;
	const unsigned long long *right = *(unsigned long long *const *)b;

	return (*left > *right) - (*left < *right);
}

/* numbers that each have memory of their own, sorted by way of pointers */
static unsigned long long sort_numbers(int count, unsigned long long *seed)
{
	unsigned long long **numbers = calloc(count, sizeof(*numbers)), middle;

	for (int i = 0; i < count; i++) {
		numbers[i] = calloc(1, 64);
		/* Knuth's MMIX generator */
		*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
		*numbers[i] = *seed;
	}
	qsort(numbers, count, sizeof(*numbers), compare);
	middle = *numbers[count / 2];
	for (int i = 0; i < count; i++)
		free(numbers[i]);
	free(numbers);
	return middle;
}

static size_t pack_and_unpack(size_t size, unsigned long long seed)
{
	size_t room = ZSTD_compressBound(size), len;
	char *bytes = malloc(size), *packed = malloc(room);

	for (size_t i = 0; i < size; i++)
		bytes[i] = (seed >> (i % 40)) + (i >> 8);
	len = ZSTD_compress(packed, room, bytes, size, 3);
	len += ZSTD_decompress(bytes, size, packed, len);
	free(bytes);
	free(packed);
	return len;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : NUMBERS;
	unsigned long long seed = 1, sum = 0;
	struct rusage used;

	for (int i = 0; i < ROUNDS; i++) {
		sum += sort_numbers(count, &seed);
		sum += pack_and_unpack((size_t)count * PACKED_EACH, seed);
	}
	getrusage(RUSAGE_SELF, &used);
	printf("%ld\n", (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
	       (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000);
	return !sum;
}
