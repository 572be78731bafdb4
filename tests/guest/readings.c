// SPDX-License-Identifier: GPL-2.0-only
/*
 * readings FILE SECONDS DIR: reads FILE whole again and again, for so long, and prints what
 * the guest's monotonic clock says of it, in nanoseconds:
 *
 *	at NOW			twice a second
 *	long FROM TO		a read(2) that took LONG_NS
 *	busy FROM TO		successive readings with a record that was being written
 *	readings NUMBER BUSY LONGEST	at the end; LONGEST read(2)
 *
 * Some readings, and the first ones that are busy, are kept in DIR.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LONG_NS		10000000LL
#define AT_NS		500000000LL
/* between two readings others run */
#define NAP_NS		10000000L
#define KEPT		20
#define KEPT_EACH	40

static char text[4 << 20];
static long long longest_ns;

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int read_whole(const char *path, size_t *length)
{
	int file = open(path, O_RDONLY);
	ssize_t got;

	*length = 0;
	if (file < 0)
		return -1;
	do {
		long long from_ns = now(), to_ns;

		got = read(file, text + *length, sizeof(text) - 1 - *length);
		to_ns = now();
		if (to_ns - from_ns > longest_ns)
			longest_ns = to_ns - from_ns;
		if (to_ns - from_ns > LONG_NS)
			printf("long %lld %lld\n", from_ns, to_ns);
		if (got > 0)
			*length += got;
	} while (got > 0);
	text[*length] = '\0';
	close(file);
	return got;
}

static void keep(const char *dir, const char *what, int number, size_t length)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s.%d", dir, what, number);
	file = fopen(path, "w");
	if (!file)
		return;
	fwrite(text, 1, length, file);
	fclose(file);
}

int main(int argc, char **argv)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	long long end_ns, at_ns = 0, busy_ns = 0, last_ns = 0;
	int readings = 0, all_busy = 0;

	if (argc != 4) {
		fprintf(stderr, "usage: readings FILE SECONDS DIR\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	end_ns = now() + atol(argv[2]) * 1000000000LL;
	while (last_ns < end_ns) {
		long long from_ns = now();
		size_t length;
		bool busy;

		if (from_ns > at_ns) {
			printf("at %lld\n", from_ns);
			at_ns = from_ns + AT_NS;
		}
		if (read_whole(argv[1], &length)) {
			perror(argv[1]);
			return 1;
		}
		busy = strstr(text, "\n     busy: ") || !strncmp(text, "     busy: ", 11);
		if (busy && !busy_ns)
			busy_ns = from_ns;
		if (!busy && busy_ns) {
			printf("busy %lld %lld\n", busy_ns, last_ns);
			busy_ns = 0;
		}
		last_ns = now();
		if (busy && all_busy++ < KEPT)
			keep(argv[3], "busy", all_busy, length);
		else if (readings % KEPT_EACH == 0 && readings / KEPT_EACH < KEPT)
			keep(argv[3], "any", readings, length);
		readings++;
		nanosleep(&nap, NULL);
	}
	if (busy_ns)
		printf("busy %lld %lld\n", busy_ns, last_ns);
	printf("readings %d %d %lld\n", readings, all_busy, longest_ns);
	return 0;
}
