// SPDX-License-Identifier: GPL-2.0-only
/* A fuzzer with the fault that FAULT in the environment names. Each fault must be noticed. */
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

/* more than run allows in one piece */
#define GREED		(800 << 20)

static const char *fault;
static void *lost;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fault = getenv("FAULT");
	if (!strcmp(fault, "nothing"))
		_exit(0);
	return 0;
}

static void overrun(const __u8 *data, size_t size)
{
	__u8 *copy = malloc(size);

	for (size_t i = 0; i <= size; i++)
		copy[i] = i < size ? data[i] : 0;
	free(copy);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	clock_t began = clock();
	int most = 0x7fffffff;

	/* once, as where the host is away */
	if (!strcmp(fault, "paused") && !unlink(getenv("PAUSED")))
		sleep(4);
	/* the time is up once it has read its first inputs */
	while (!strcmp(fault, "slow") && size && clock() - began < CLOCKS_PER_SEC / 2)
		;
	if (!size || data[0] != '!')
		return 0;
	if (!strcmp(fault, "crash"))
		abort();
	if (!strcmp(fault, "overrun"))
		overrun(data, size);
	if (!strcmp(fault, "undefined"))
		most = most + 1;
	if (!strcmp(fault, "leak")) {
		lost = malloc(size);
		lost = NULL;
	}
	if (!strcmp(fault, "greed"))
		memset(malloc(GREED), 1, GREED);
	while (!strcmp(fault, "hang"))
		most = 0;
	return 0;
}
