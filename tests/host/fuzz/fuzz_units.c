// SPDX-License-Identifier: GPL-2.0-only
/* Numbers, lengths and times as a user types them: any text. */
#include "fuzz.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/moment.h"
#include "base/units.h"

#define NOW_NS	1795244400000000000ULL

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	/* has hours that do not exist and hours that occur twice */
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	return 0;
}

static bool has_year(const char *text)
{
	for (int i = 0; i < 4; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return text[4] == '-' && isdigit((unsigned char)text[5]);
}

/* the printed text is short and reads back the same to the microsecond */
static void print(__u64 ns)
{
	char buf[UNITS_LEN];
	__u64 again;

	promise(strlen(print_duration(buf, ns)) < UNITS_LEN - 1);
	promise(strlen(print_span(buf, ns)) < UNITS_LEN - 1);
	promise(strlen(print_ms(buf, ns)) < UNITS_LEN - 1);
	promise(strlen(print_moment(buf, ns)) < UNITS_LEN - 1);
	promise(strlen(print_iso8601(buf, ns)) < UNITS_LEN - 1);
	promise(moment_parse(buf, NOW_NS, &again));
	promise(again == ns - ns % NSEC_PER_USEC);
}

static void moment(const char *text)
{
	char buf[UNITS_LEN];
	__u64 ns, age_ns;
	int apart;

	if (!moment_parse(text, NOW_NS, &ns))
		return;
	print(ns);
	if (parse_duration(text, &age_ns))
		promise(ns == (age_ns < NOW_NS ? NOW_NS - age_ns : 0));
	if (!has_year(text))
		return;
	/* the requested year, in any time zone, or the last one that can be expressed */
	apart = atoi(print_moment(buf, ns)) - atoi(text);
	promise((apart >= -1 && apart <= 1) || ns == ~0ULL);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	struct input input = { data, size };
	__u64 ns, number = take_number(&input, 8);
	char *text = text_of(input);

	print(number);
	moment(text);
	if (parse_number(text, number, &ns))
		promise(ns <= number && ns == strtoull(text, NULL, 10));
	free(text);
	return 0;
}
