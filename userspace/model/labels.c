// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "model/labels.h"

static const char * const flags[] = {
	"irqs-on", "user", "idle", "hardirq", "serving-softirq", "bh-off", "at-irq-enable",
	"truncated", "cgroup-v1", "softirq-loop", "nmi", "requester-late",
	"bh-held", "idle-loop",
};

/* the kernel's numbers, which have not changed since 2009 */
static const char * const softirqs[] = {
	"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER",
	"RCU",
};

static const char * const ends[] = {
	[TRACE_IRQOFF_END_BEAT]			= "beat",
	[TRACE_IRQOFF_END_SOFTIRQ_ENTRY]	= "softirq-entry",
	[TRACE_IRQOFF_END_SOFTIRQ_EXIT]		= "softirq-exit",
	[TRACE_IRQOFF_END_STOP]			= "stop",
	[TRACE_IRQOFF_END_IDLE]			= "idle",
};

static const char * const stops[] = {
	[TRACE_IRQOFF_STOP_USER]	= "user",
	[TRACE_IRQOFF_STOP_COST]	= "cost",
	[TRACE_IRQOFF_STOP_CLOCK]	= "clock",
};

static const char * const locks[] = {
	[TRACE_IRQOFF_LOCK_SPIN]	= "spin",
	[TRACE_IRQOFF_LOCK_READ]	= "read",
	[TRACE_IRQOFF_LOCK_WRITE]	= "write",
};

static const char * const meanings[TIO_CLASSES] = {
	[TIO_CLASS_UNKNOWN]		= "the evidence does not say",
	[TIO_CLASS_HARDIRQ_OFF]		= "code ran with interrupts disabled",
	[TIO_CLASS_SOFTIRQ_OFF]		= "a task had bottom halves disabled",
	[TIO_CLASS_SOFTIRQ_LONG]	= "a softirq ran long",
	[TIO_CLASS_KSOFTIRQD_WAIT]	= "ksoftirqd had softirqs to run and did not get the CPU",
	[TIO_CLASS_HARDIRQ_LONG]	= "an interrupt's handler ran long, or many in a row",
	[TIO_CLASS_STOLEN]		= "a hypervisor or firmware had the CPU",
};

/* why interrupts or softirqs did not run, in one line of help */
const char *class_means(enum tio_class class)
{
	return meanings[class];
}

const char *kind_word(const struct tio_record *rec)
{
	return rec->kind == TRACE_IRQOFF_KIND_HARD ? "hard" : "soft";
}

/* what showed that the stall was over */
const char *end_word(const struct tio_record *rec)
{
	return rec->end_by < ARRAY_SIZE(ends) ? ends[rec->end_by] : "unknown";
}

/* why watching stopped */
const char *stop_word(unsigned int by)
{
	return by < ARRAY_SIZE(stops) ? stops[by] : "unknown";
}

/* how a lock was wanted; NULL where none is known to be */
const char *lock_word(unsigned int kind)
{
	return kind < ARRAY_SIZE(locks) ? locks[kind] : NULL;
}

/* TRACE_IRQOFF_F_* by number of bit; NULL for one that this reader does not know */
const char *flag_word(unsigned int bit)
{
	return bit < ARRAY_SIZE(flags) ? flags[bit] : NULL;
}

const char *softirq_word(unsigned int bit)
{
	return bit < ARRAY_SIZE(softirqs) ? softirqs[bit] : NULL;
}

/*
 * What Unicode 15 has as controls, formats, and separators of lines and paragraphs
 * (Cc, Cf, Zl, Zp): a terminal may act on these, or show text in another order.
 */
static const struct {
	__u32 first;
	__u32 last;
} unprintable[] = {
	{ 0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x600, 0x605 }, { 0x61c, 0x61c },
	{ 0x6dd, 0x6dd }, { 0x70f, 0x70f }, { 0x890, 0x891 }, { 0x8e2, 0x8e2 },
	{ 0x180e, 0x180e }, { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x2064 },
	{ 0x2066, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0x110bd, 0x110bd },
	{ 0x110cd, 0x110cd }, { 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
	{ 0xe0001, 0xe0001 }, { 0xe0020, 0xe007f },
};

static bool is_printable(__u32 code)
{
	for (size_t i = 0; i < ARRAY_SIZE(unprintable); i++)
		if (code >= unprintable[i].first && code <= unprintable[i].last)
			return false;
	return true;
}

/* how many bytes of UTF-8 make the character at @text, which is @code; 0: none do */
static unsigned int character(const unsigned char *text, __u32 *code)
{
	unsigned int len = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 :
			   *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;

	*code = len > 1 ? *text & 0x7f >> len : *text;
	for (unsigned int i = 1; i < len; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (text[i] & 0x3f);
	}
	/* overlong, surrogates, beyond Unicode */
	if ((len == 3 && *code < 0x800) || (*code >= 0xd800 && *code < 0xe000) ||
	    (len == 4 && *code < 0x10000) || *code > 0x10ffff)
		return 0;
	return len;
}

/**
 * characters() - how many characters a text has
 * @text: each byte that is no UTF-8 counts as one
 *
 * Return: the number.
 */
size_t characters(const char *text)
{
	size_t count = 0;

	while (*text) {
		__u32 code;
		unsigned int len = character((const unsigned char *)text, &code);

		text += len ? len : 1;
		count++;
	}
	return count;
}

/**
 * printable() - make a name safe for terminals and JSON
 * @text: each byte that is no UTF-8, or of a character that is not printable, becomes
 *	a question mark
 *
 * Return: @text.
 */
char *printable(char *text)
{
	char *c = text;

	while (*c) {
		__u32 code;
		unsigned int len;

		/* nearly all of them are ASCII */
		if (*c >= ' ' && *c <= '~') {
			c++;
			continue;
		}
		len = character((unsigned char *)c, &code);

		if (!len || !is_printable(code)) {
			len = len ? len : 1;
			memset(c, '?', len);
		}
		c += len;
	}
	return text;
}

/**
 * print_record_name() - a record's name, "0:17", which irqoff show takes
 * @buf: room
 * @rec: the record
 *
 * Return: @buf; "0:open" of a stall that has not ended.
 */
const char *print_record_name(char buf[UNITS_LEN], const struct tio_record *rec)
{
	if (rec->open)
		snprintf(buf, UNITS_LEN, "%u:open", rec->cpu);
	else
		snprintf(buf, UNITS_LEN, "%u:%llu", rec->cpu, rec->seq);
	return buf;
}
