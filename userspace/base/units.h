/* SPDX-License-Identifier: GPL-2.0-only */
/* Durations and shares from text, and moments too to text. */
#ifndef _IRQOFF_UNITS_H
#define _IRQOFF_UNITS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define NSEC_PER_USEC	1000ULL
#define NSEC_PER_MSEC	1000000ULL
#define NSEC_PER_SEC	1000000000ULL
#define PPM_PER_PERCENT	10000ULL

#define UNITS_LEN	48	/* room for anything that is printed here */

bool parse_duration(const char *text, __u64 *ns);
bool parse_length(const char *text, __u64 *ns);
bool parse_percent(const char *text, __u32 *ppm);
bool parse_number(const char *text, __u64 max, __u64 *number);

const char *print_count(char buf[UNITS_LEN], __u64 count);
const char *print_duration(char buf[UNITS_LEN], __u64 ns);
const char *print_span(char buf[UNITS_LEN], __u64 ns);
const char *print_percent(char buf[UNITS_LEN], __u32 ppm);
const char *print_ms(char buf[UNITS_LEN], __u64 ns);
const char *print_moment(char buf[UNITS_LEN], __u64 realtime_ns);
const char *print_clock(char buf[UNITS_LEN], __u64 realtime_ns, __u64 now_ns, bool ms);
const char *print_zone(char buf[UNITS_LEN], __u64 realtime_ns);
const char *print_iso8601(char buf[UNITS_LEN], __u64 realtime_ns);

#endif /* _IRQOFF_UNITS_H */
