// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "say.h"
#include "words.h"

static const char * const flags[] = {
	"irqs-on", "user", "idle", "hardirq", "serving-softirq", "bh-off", "at-irq-enable",
	"truncated", "cgroup-v1", "softirq-loop", "asked", "asker-late",
	"bh-held",
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
};

const char *kind_word(const struct tio_record *rec)
{
	return rec->kind == TRACE_IRQOFF_KIND_HARD ? "hard" : "soft";
}

/* what showed that the stall was over */
const char *end_word(const struct tio_record *rec)
{
	return rec->end_by < ARRAY_SIZE(ends) ? ends[rec->end_by] : "unknown";
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

/* how many bytes of UTF-8 make the character at @text; 0: none do */
static unsigned int character(const unsigned char *text)
{
	unsigned int len = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 :
			   *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;

	if (len == 1)
		return *text >= ' ' && *text != 0x7f;
	for (unsigned int i = 1; i < len; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	/* overlong, surrogates, beyond Unicode */
	if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f) ||
	    (*text == 0xf0 && text[1] < 0x90) || (*text == 0xf4 && text[1] > 0x8f))
		return 0;
	return len;
}

/**
 * printable() - make a name that others chose safe for terminals and JSON
 * @text: what is no character becomes a question mark
 *
 * Return: @text.
 */
char *printable(char *text)
{
	char *c = text;

	while (*c) {
		unsigned int len = character((unsigned char *)c);

		if (!len)
			*c = '?';
		c += len ? len : 1;
	}
	return text;
}
