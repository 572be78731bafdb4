// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's files of what the network counted. A text may come from a file that somebody
 * sent, so nothing of its form is taken for granted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "model/counted.h"

/* of /proc/net/softnet_stat; the CPU since 5.10 */
enum { SOFTNET_PROCESSED, SOFTNET_DROPPED, SOFTNET_SQUEEZED, SOFTNET_CPU = 12 };

#define SOFTNET_COLUMNS	(SOFTNET_CPU + 1)

/* a word of a line */
struct word {
	const char *at;
	size_t len;
};

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

/* @at: behind the last one; false: the line has no more. Files have hundreds of words */
static bool next_word(const char **at, struct word *word)
{
	const char *end = *at;

	while (blank(*end))
		end++;
	word->at = end;
	while (*end && *end != '\n' && !blank(*end))
		end++;
	word->len = end - word->at;
	*at = end;
	return word->len;
}

/* NULL: there is none */
static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end && end[1] ? end + 1 : NULL;
}

static bool is(const struct word *word, const char *text)
{
	return *word->at == *text && !strncmp(word->at, text, word->len) && !text[word->len];
}

/* digits and nothing else, so no sign either */
static bool number_of(const struct word *word, int base, __u64 *number)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	size_t of_base = base == 16 ? strlen(digits) : 10;
	char buf[24];

	if (!word->len || word->len >= sizeof(buf))
		return false;
	memcpy(buf, word->at, word->len);
	buf[word->len] = '\0';
	for (size_t i = 0; i < word->len; i++)
		if (!memchr(digits, buf[i], of_base))
			return false;
	*number = strtoull(buf, NULL, base);
	return true;
}

/* reads so many columns of hexadecimal numbers at most; the count of those that are there */
static size_t read_columns(const char *line, __u64 *columns, size_t most)
{
	struct word word;
	size_t count = 0;

	while (count < most && next_word(&line, &word))
		if (!number_of(&word, 16, &columns[count++]))
			return 0;
	return count;
}

/* the CPU of the next row, where rows are the online CPUs in their order */
static __u64 next_online(const struct cpuset *online, __u64 from)
{
	while (from < CPUSET_MOST && !cpuset_has(online, from))
		from++;
	return from;
}

/* a line of softnet_stat; @next: the lowest CPU that may come */
static bool add_row(struct softnet_counts *counts, const char *line, const struct cpuset *online,
		    __u64 *next)
{
	__u64 columns[SOFTNET_COLUMNS];
	size_t count = read_columns(line, columns, SOFTNET_COLUMNS);
	__u64 cpu;

	if (count <= SOFTNET_SQUEEZED)
		return false;
	cpu = count == SOFTNET_COLUMNS ? columns[SOFTNET_CPU] : next_online(online, *next);
	/* they ascend, and one that comes twice is none of the kernel's */
	if (cpu < *next || cpu >= CPUSET_MOST)
		return false;
	*next = cpu + 1;
	counts->cpus = grow(counts->cpus, counts->ncpus, sizeof(*counts->cpus));
	counts->cpus[counts->ncpus++] = (struct softnet_cpu){
		.cpu = cpu,
		.processed = columns[SOFTNET_PROCESSED],
		.dropped = columns[SOFTNET_DROPPED],
		.squeezed = columns[SOFTNET_SQUEEZED],
	};
	return true;
}

/* rows without numbers that are not as many as the online CPUs belong to nobody knows which */
static bool add_rows(struct softnet_counts *counts, const char *text,
		     const struct cpuset *online)
{
	__u64 columns[SOFTNET_COLUMNS], next = 0;

	for (const char *line = text; line; line = next_line(line))
		if (!add_row(counts, line, online, &next))
			return false;
	return read_columns(text, columns, SOFTNET_COLUMNS) == SOFTNET_COLUMNS ||
	       next_online(online, next) == CPUSET_MOST;
}

/**
 * softnet_parse() - read /proc/net/softnet_stat
 * @counts: gets its CPUs
 * @text: the file
 * @online: list of the CPUs that were online, for kernels before 5.10; NULL: not known
 *
 * Return: false where it is none, or it is not known whose its rows are.
 */
bool softnet_parse(struct softnet_counts *counts, const char *text, const char *online)
{
	struct cpuset cpus = { 0 };
	bool right;

	cpuset_add_list(&cpus, online ? online : "");
	right = add_rows(counts, text, &cpus);
	cpuset_free(&cpus);
	if (right)
		return true;
	free(counts->cpus);
	counts->cpus = NULL;
	counts->ncpus = 0;
	return false;
}

/* where a counter is found */
struct place {
	enum net_file file;
	const char *prefix;	/* of its two lines, which have names and values; or NULL */
	const char *key;
};

static const struct place places[NET_COUNTERS] = {
	[NET_SYN_RETRANS]	= { NET_NETSTAT, "TcpExt:", "TCPSynRetrans" },
	[NET_TIMEOUTS]		= { NET_NETSTAT, "TcpExt:", "TCPTimeouts" },
	[NET_LISTEN_DROPS]	= { NET_NETSTAT, "TcpExt:", "ListenDrops" },
	[NET_LISTEN_OVERFLOWS]	= { NET_NETSTAT, "TcpExt:", "ListenOverflows" },
	[NET_RETRANS]		= { NET_SNMP, "Tcp:", "RetransSegs" },
	[NET_CSUM_ERRORS]	= { NET_SNMP, "Tcp:", "InCsumErrors" },
	[NET_INSERT_FAILED]	= { NET_CONNTRACK, NULL, "insert_failed" },
	[NET_DROP]		= { NET_CONNTRACK, NULL, "drop" },
};

/* what the kernel calls a counter */
const char *net_counter_word(enum net_counter counter)
{
	return places[counter].key;
}

/* does a line with this first word have a counter? */
static bool wanted(const struct word *prefix, enum net_file file)
{
	for (unsigned int i = 0; i < NET_COUNTERS; i++)
		if (places[i].file == file && is(prefix, places[i].prefix))
			return true;
	return false;
}

/* of two lines, names and values */
static void take_pair(struct net_counts *counts, enum net_file file, const char *names,
		      const char *values)
{
	struct word prefix, again, name, value;

	if (!next_word(&names, &prefix) || !next_word(&values, &again) ||
	    prefix.len != again.len || strncmp(prefix.at, again.at, prefix.len) ||
	    !wanted(&prefix, file))
		return;
	while (next_word(&names, &name) && next_word(&values, &value)) {
		for (unsigned int i = 0; i < NET_COUNTERS; i++) {
			struct net_value *to = &counts->values[i];
			__u64 number;

			if (places[i].file != file || !is(&name, places[i].key) ||
			    !is(&prefix, places[i].prefix) || !number_of(&value, 10, &number))
				continue;
			*to = (struct net_value){ .known = true, .value = number };
		}
	}
}

static void take_pairs(struct net_counts *counts, enum net_file file, const char *text)
{
	const char *values;

	for (const char *names = text; names; names = next_line(values)) {
		values = next_line(names);
		if (!values)
			return;
		take_pair(counts, file, names, values);
	}
}

/* the sum of a column below its name; all rows have it, or it is not known */
static struct net_value sum_column(const char *text, size_t column)
{
	struct net_value sum = { 0 };

	for (const char *line = next_line(text); line; line = next_line(line)) {
		const char *at = line;
		struct word word;
		__u64 number;

		for (size_t i = 0; i <= column; i++)
			next_word(&at, &word);
		if (!number_of(&word, 16, &number))
			return (struct net_value){ 0 };
		sum.value += number;
		sum.known = true;
	}
	return sum;
}

/* a line of names, then a line of hexadecimal numbers for each CPU */
static void take_columns(struct net_counts *counts, enum net_file file, const char *text)
{
	const char *at = text;
	struct word name;

	for (size_t column = 0; next_word(&at, &name); column++)
		for (unsigned int i = 0; i < NET_COUNTERS; i++)
			if (places[i].file == file && is(&name, places[i].key))
				counts->values[i] = sum_column(text, column);
}

/**
 * net_parse() - read a file of a network namespace's counters
 * @counts: gets those that it has
 * @file: which one it is
 * @text: the file
 */
void net_parse(struct net_counts *counts, enum net_file file, const char *text)
{
	if (file == NET_CONNTRACK)
		take_columns(counts, file, text);
	else
		take_pairs(counts, file, text);
}
