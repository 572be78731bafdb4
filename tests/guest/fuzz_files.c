// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_files SEED COUNT: writes wrong values and COUNT random ones to the module's files, and
 * reads the files in odd pieces. A wrong value must be refused, a refused value must change
 * nothing, and a piece must equal that part of the whole.
 *
 * fuzz_files SEED COUNT nobody: runs as a user who may do nothing. Each write must fail with
 * EPERM or EACCES, and /proc/trace_irqoff must not open.
 *
 * Prints a line for each fault and a summary. Watching must have been stopped before, so that
 * the report does not change.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../module/core/knobs.c"
#include "fuzz_random.h"

#define REPORT		"/proc/trace_irqoff"
#define ROOM		(1024 * 1024)
#define MOST_FAULTS	5

/* the knobs of tio_knobs[], and this one */
#define CPUS	TIO_KNOBS
#define KNOBS	(TIO_KNOBS + 1)

static char was[KNOBS][128];
static char report[ROOM], piece[ROOM];
static void *nowhere;			/* memory without access rights */
static ssize_t report_len;
static bool nobody;
static unsigned long writes, refused, reads, faults;

static void fault(const char *what, const char *name, const char *text, size_t len)
{
	printf("%s: %s, %zu bytes:", what, name, len);
	for (size_t i = 0; i < len && i < 64; i++)
		printf(" %02x", (unsigned char)text[i]);
	printf(" (%s)\n", strerror(errno));
	if (++faults == MOST_FAULTS)
		exit(1);
}

static const char *name_of(unsigned int knob)
{
	return knob == CPUS ? "cpus" : tio_knobs[knob].name;
}

static int open_knob(unsigned int knob, int flags)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/trace_irqoff/parameters/%s", name_of(knob));
	return open(path, flags);
}

static void look(char now[KNOBS][128])
{
	memset(now, 0, KNOBS * sizeof(now[0]));
	for (unsigned int knob = 0; knob < KNOBS; knob++) {
		int fd = open_knob(knob, O_RDONLY);

		if (fd < 0 || read(fd, now[knob], sizeof(now[0]) - 1) <= 0)
			err(2, "%s", name_of(knob));
		close(fd);
	}
}

static ssize_t put_knob(unsigned int knob, const char *text, size_t len)
{
	int fd = open_knob(knob, O_WRONLY);
	ssize_t put = fd < 0 ? -1 : write(fd, text, len);
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
	return put;
}

/* is it one of the words of a knob that has words? */
static bool is_word(const struct tio_knob_desc *knob, const char *text)
{
	for (__u32 i = knob->min; i <= knob->max; i++)
		if (!strncmp(text, knob->words[i], strlen(knob->words[i])) &&
		    !strcmp(text + strlen(knob->words[i]), "\n"))
			return true;
	return false;
}

static bool within_limits(char now[KNOBS][128])
{
	for (unsigned int i = 0; i < TIO_KNOBS; i++) {
		const struct tio_knob_desc *knob = &tio_knobs[i];
		unsigned long value = strtoul(now[i], NULL, 10);

		if (knob->words ? !is_word(knob, now[i]) :
				  value < knob->min || value > knob->max)
			return false;
	}
	return atol(now[TIO_KNOB_THRESHOLD_US]) >= 2 * atol(now[TIO_KNOB_PERIOD_US]) &&
	       *now[CPUS] != '\n' &&
	       !strcmp(now[TIO_KNOB_RING_RECORDS], was[TIO_KNOB_RING_RECORDS]);
}

/* @bad: the value is known to be wrong */
static void try_knob(unsigned int knob, const char *text, size_t len, bool bad)
{
	char now[KNOBS][128];
	ssize_t put = put_knob(knob, text, len);

	writes++;
	refused += put < 0;
	if (nobody && (put >= 0 || (errno != EPERM && errno != EACCES)))
		fault("not denied", name_of(knob), text, len);
	if (bad && put >= 0)
		fault("accepted", name_of(knob), text, len);
	look(now);
	for (unsigned int other = 0; other < KNOBS; other++)
		if (strcmp(now[other], was[other]) && (put < 0 || other != knob))
			fault("changed", name_of(other), text, len);
	if (!within_limits(now))
		fault("beyond its limits", name_of(knob), text, len);
	memcpy(was, now, sizeof(was));
}

/* the kernel looks only at a boolean's first character; 99 is a valid number of some knobs */
static bool is_wrong(unsigned int knob, const char *text)
{
	if (knob == TIO_KNOB_ENABLE)
		return !*text || !strchr("yYnNtTfFeEdDoO01", *text);
	if (strcmp(text, "99"))
		return true;
	return knob == CPUS || tio_knobs[knob].min > 99 || tio_knobs[knob].max < 99 ||
	       knob == TIO_KNOB_RING_RECORDS;
}

#define WRONG_TEXT(text)	{ text, sizeof(text) - 1 }

static void wrong_values(void)
{
	static const struct { const char *text; size_t len; } values[] = {
		WRONG_TEXT("\n"), WRONG_TEXT("\t"), WRONG_TEXT("-1"), WRONG_TEXT("-0"),
		WRONG_TEXT("99999999999"), WRONG_TEXT("18446744073709551617"),
		WRONG_TEXT("4294967297"), WRONG_TEXT("0x"), WRONG_TEXT("x"), WRONG_TEXT("\0"),
		WRONG_TEXT("\0001"), WRONG_TEXT("\xff\xfe"), WRONG_TEXT("%s%n"),
		WRONG_TEXT("some"), WRONG_TEXT("../../x"), WRONG_TEXT("99"),
	};

	for (unsigned int knob = 0; knob < KNOBS; knob++) {
		for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
			try_knob(knob, values[i].text, values[i].len,
				 is_wrong(knob, values[i].text));
		memset(piece, '9', ROOM);
		try_knob(knob, piece, 4095, true);
		try_knob(knob, piece, ROOM, true);
		memset(piece, '\0', ROOM);
		try_knob(knob, piece, ROOM, true);
	}
}

static void random_values(unsigned long count)
{
	static const char likely[] = "0123456789,-:/ \0\nxynofal";
	char text[64];

	while (count--) {
		unsigned int knob = any(KNOBS);
		size_t len = 1 + any(any(4) ? 6 : sizeof(text));

		for (size_t i = 0; i < len; i++)
			text[i] = any(8) ? likely[any(sizeof(likely) - 1)] : (char)any(256);
		/* only insmod can set the ring's size */
		try_knob(knob, text, len, knob == TIO_KNOB_RING_RECORDS);
	}
}

static void odd_knob_reads(unsigned int knob)
{
	int fd = open_knob(knob, O_RDONLY);
	size_t len = strlen(was[knob]);

	for (size_t from = 0; from < len + 2; from++) {
		ssize_t got = pread(fd, piece, 1 + from % 2, from);
		bool over = from >= len;

		reads++;
		if (got < 0 || memcmp(piece, was[knob] + from, got) ||
		    !got != over)
			fault("read otherwise", name_of(knob), piece, got < 0 ? 0 : got);
	}
	if (pread(fd, piece, 8, -1) >= 0 || pread(fd, piece, 8, LLONG_MAX) > 0)
		fault("read beyond", name_of(knob), piece, 8);
	close(fd);
}

static int open_report(void)
{
	int fd = open(REPORT, O_RDWR);

	if (fd < 0)
		err(2, REPORT);
	return fd;
}

static void read_whole(char *text, ssize_t *len)
{
	int fd = open_report();
	ssize_t got;

	*len = 0;
	while ((got = read(fd, text + *len, ROOM - *len)) > 0)
		*len += got;
	close(fd);
}

/* reads the report from beginning to end in pieces of one size */
static void read_pieces(size_t size)
{
	int fd = open_report();
	ssize_t at = 0, got;

	while ((got = read(fd, piece, size)) > 0) {
		reads++;
		if (at + got > report_len || memcmp(piece, report + at, got)) {
			fault("read otherwise", REPORT, piece, got);
			break;
		}
		at += got;
	}
	if (at != report_len)
		fault("ended early", REPORT, piece, 0);
	close(fd);
}

static void read_anywhere(void)
{
	int fd = open_report();

	for (int i = 0; i < 60; i++) {
		off_t from = any(report_len + 100);
		size_t size = any(any(2) ? 40 : 9000);
		ssize_t left = from < report_len ? report_len - from : 0;
		ssize_t got = pread(fd, piece, size, from);

		reads++;
		if (got < 0 || got > left || (!got && size && left) ||
		    memcmp(piece, report + from, got))
			fault("read otherwise", REPORT, piece, got < 0 ? 0 : got);
	}
	if (pread(fd, piece, 8, -1) >= 0 || pread(fd, piece, 8, LLONG_MAX) > 0 ||
	    pread(fd, piece, 8, report_len + 1) != 0)
		fault("read beyond", REPORT, piece, 8);
	if (lseek(fd, -1, SEEK_SET) >= 0 || lseek(fd, 0, SEEK_END) >= 0 || lseek(fd, 0, 77) >= 0)
		fault("seek accepted", REPORT, piece, 0);
	if (read(fd, nowhere, 100) >= 0 || errno != EFAULT)
		fault("read to bad memory accepted", REPORT, piece, 0);
	if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED)
		fault("mapped", REPORT, piece, 0);
	close(fd);
}

/* writes everything but "clear" */
static void wrong_words(unsigned long count)
{
	static const char * const words[] = {
		"", " ", "\n", "clean", "CLEAR", "clea", "clear!", "clear\nx", "clearclear", "0",
	};
	static char now[ROOM];
	int fd = open_report();
	ssize_t len;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (write(fd, words[i], strlen(words[i])) >= 0)
			fault("accepted", REPORT, words[i], strlen(words[i]));
	memset(piece, ' ', ROOM);
	memcpy(piece + ROOM - 5, "clear", 5);
	if (write(fd, piece, ROOM) >= 0 || write(fd, nowhere, 5) >= 0 || errno != EFAULT)
		fault("taken", REPORT, piece, ROOM);
	for (unsigned long i = 0; i < count; i++) {
		size_t size = any(any(2) ? 10 : 5000);

		for (size_t j = 0; j < size; j++)
			piece[j] = any(256);
		writes++;
		if (pwrite(fd, piece, size, any(1000)) >= 0)
			fault("taken", REPORT, piece, size);
	}
	close(fd);
	read_whole(now, &len);
	if (len != report_len || memcmp(now, report, len))
		fault("changed", REPORT, now, len);
}

int main(int argc, char **argv)
{
	unsigned long count = any_from(argc, argv, "fuzz_files SEED COUNT [nobody]");

	nobody = argc > 3;
	nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	look(was);
	for (unsigned int knob = 0; knob < KNOBS; knob++)
		odd_knob_reads(knob);
	if (nobody) {
		for (int mode = O_RDONLY; mode <= O_RDWR; mode++)
			if (open(REPORT, mode) >= 0 || (errno != EPERM && errno != EACCES))
				fault("opened", REPORT, "", 0);
	} else {
		read_whole(report, &report_len);
		for (size_t size = 1; size < ROOM; size = 3 * size + 1)
			read_pieces(size);
		read_anywhere();
		wrong_words(count);
	}
	wrong_values();
	random_values(count);
	printf("seed %s: %lu writes, %lu refused, %lu reads in pieces, %lu faults\n", argv[1],
	       writes, refused, reads, faults);
	return !!faults;
}
