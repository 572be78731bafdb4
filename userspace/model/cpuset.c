// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "model/cpuset.h"

#define WORD_BITS	64

static const __u64 *words_of(const struct cpuset *set)
{
	return set->nwords > 1 ? set->words : &set->word;
}

/* the set's words, of which there are at least so many then */
static __u64 *room_for(struct cpuset *set, size_t nwords)
{
	__u64 *words;

	if (nwords > set->nwords && nwords > 1) {
		words = alloc(nwords, sizeof(*words));
		memcpy(words, words_of(set), set->nwords * sizeof(*words));
		cpuset_free(set);
		set->words = words;
	}
	if (nwords > set->nwords)
		set->nwords = nwords;
	return (__u64 *)words_of(set);
}

void cpuset_add(struct cpuset *set, __u32 cpu)
{
	if (cpu < CPUSET_MOST)
		room_for(set, cpu / WORD_BITS + 1)[cpu / WORD_BITS] |= 1ULL << cpu % WORD_BITS;
}

void cpuset_add_set(struct cpuset *set, const struct cpuset *more)
{
	__u64 *words = room_for(set, more->nwords);

	for (size_t i = 0; i < more->nwords; i++)
		words[i] |= words_of(more)[i];
}

static void add_range(struct cpuset *set, unsigned long first, unsigned long last)
{
	__u64 *words;

	if (last >= CPUSET_MOST)
		last = CPUSET_MOST - 1;
	if (first > last)
		return;
	words = room_for(set, last / WORD_BITS + 1);
	for (size_t word = first / WORD_BITS; word <= last / WORD_BITS; word++) {
		unsigned int low = word == first / WORD_BITS ? first % WORD_BITS : 0;
		unsigned int high = word == last / WORD_BITS ? last % WORD_BITS : WORD_BITS - 1;

		words[word] |= ~0ULL >> (WORD_BITS - 1 - high) & ~0ULL << low;
	}
}

/**
 * cpuset_add_list() - add the CPUs of a list
 * @set: gets them
 * @list: "0-3,8"; what is none ends it
 */
void cpuset_add_list(struct cpuset *set, const char *list)
{
	for (;; list++) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (end == list)
			return;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		add_range(set, first, last);
		list = end;
		if (*list != ',')
			return;
	}
}

bool cpuset_has(const struct cpuset *set, size_t cpu)
{
	return cpu / WORD_BITS < set->nwords &&
	       words_of(set)[cpu / WORD_BITS] >> cpu % WORD_BITS & 1;
}

bool cpuset_same(const struct cpuset *left, const struct cpuset *right)
{
	size_t nwords = left->nwords > right->nwords ? left->nwords : right->nwords;

	for (size_t cpu = 0; cpu < nwords * WORD_BITS; cpu++)
		if (cpuset_has(left, cpu) != cpuset_has(right, cpu))
			return false;
	return true;
}

unsigned int cpuset_count(const struct cpuset *set)
{
	unsigned int count = 0;

	for (size_t i = 0; i < set->nwords; i++)
		count += __builtin_popcountll(words_of(set)[i]);
	return count;
}

/**
 * cpuset_print() - "0-3,8"
 * @buf: room
 * @size: of it
 * @set: the CPUs
 *
 * Return: @buf; where the list is too long for it, it ends with "...".
 */
const char *cpuset_print(char *buf, size_t size, const struct cpuset *set)
{
	size_t len = 0;

	*buf = '\0';
	for (size_t cpu = 0; cpu < set->nwords * WORD_BITS; cpu++) {
		size_t last = cpu;
		char range[24];
		int used;

		if (!cpuset_has(set, cpu))
			continue;
		while (cpuset_has(set, last + 1))
			last++;
		used = last > cpu ? snprintf(range, sizeof(range), "%zu-%zu", cpu, last) :
				    snprintf(range, sizeof(range), "%zu", cpu);
		if (len + used + sizeof(",...") > size) {
			strcpy(buf + len, len ? ",..." : "...");
			return buf;
		}
		len += snprintf(buf + len, size - len, "%s%s", len ? "," : "", range);
		cpu = last;
	}
	return buf;
}

void cpuset_free(struct cpuset *set)
{
	if (set->nwords > 1)
		free(set->words);
	*set = (struct cpuset){ 0 };
}

/**
 * cpulist_whole() - is this a list as the kernel prints it?
 * @list: of a file, which may say anything
 *
 * Return: true for "" and for ascending CPUs and ranges below CPUSET_MOST, like "0-3,8".
 */
bool cpulist_whole(const char *list)
{
	unsigned long least = 0;

	while (*list) {
		unsigned long first, last;
		char *end;

		if (!isdigit(*list))
			return false;
		first = strtoul(list, &end, 10);
		last = first;
		if (*end == '-') {
			if (!isdigit(end[1]))
				return false;
			last = strtoul(end + 1, &end, 10);
		}
		if (first < least || last < first || last >= CPUSET_MOST)
			return false;
		least = last + 1;
		if (*end == ',' && end[1])
			end++;
		else if (*end)
			return false;
		list = end;
	}
	return true;
}

/**
 * cpulist_next() - go through a list
 * @list: "0-3,8", ascending
 * @from: the lowest CPU that is wanted
 * @cpu: the lowest one of the list from there on, below CPUSET_MOST, so that a loop ends
 *
 * Return: false where there is none.
 */
bool cpulist_next(const char *list, __u32 from, __u32 *cpu)
{
	while (*list) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (end == list)
			return false;
		if (last >= from) {
			*cpu = first > from ? first : from;
			return first < CPUSET_MOST && from < CPUSET_MOST;
		}
		list = *end ? end + 1 : end;
	}
	return false;
}

/**
 * cpulist_has() - does a list have any of these CPUs?
 * @list: "0-3,8"
 * @first: the first CPU
 * @last: the last one
 *
 * Return: true when it has.
 */
bool cpulist_has(const char *list, __u32 first, __u32 last)
{
	while (*list) {
		char *end;
		unsigned long from = strtoul(list, &end, 10), to = from;

		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (from <= last && to >= first)
			return true;
		list = *end ? end + 1 : end;
	}
	return false;
}

/* what the CPUs of a list are called before it */
const char *cpulist_noun(const char *list)
{
	return strpbrk(list, ",-") ? "CPUs" : "CPU";
}
