/* SPDX-License-Identifier: GPL-2.0-only */
/* Valid and invalid requests to the module. */
#ifndef _FUZZ_REQUEST_H
#define _FUZZ_REQUEST_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <string.h>

#include "../../module/core/knobs.h"
#include "fuzz_random.h"

#define HUGE		60000
#define MOST_ATTRS	3		/* a socket takes three huge ones */

/* valid and invalid shapes of an attribute */
enum shape { PROPER, BEYOND, EMPTY, SHORT, LONG, ENORMOUS, WRONG, NESTED, TINY, CUT, SHAPES };

enum form { FORM_NONE, FORM_U8, FORM_U32, FORM_TEXT, FORM_FLAG, FORM_CURSOR };

/* of what requests take besides knobs */
static const enum form forms[TRACE_IRQOFF_A_MAX + 1] = {
	[TRACE_IRQOFF_A_CPUS] = FORM_TEXT,
	[TRACE_IRQOFF_A_NAMES] = FORM_FLAG,
	[TRACE_IRQOFF_A_FREE] = FORM_FLAG,
	[TRACE_IRQOFF_A_CURSOR] = FORM_CURSOR,
};

/* the request under construction, and what is wrong with it */
static char request[(MOST_ATTRS + 1) * HUGE];
static struct nlmsghdr * const head = (void *)request;
static struct genlmsghdr * const genl = (void *)request + NLMSG_HDRLEN;
static bool malformed, bad_cursor;
/* by type of attribute; the last attribute of a type counts */
static bool bad_values[TRACE_IRQOFF_A_MAX + 1];
/* the types of its attributes; those beyond the known ones are malformed */
static bool has[TRACE_IRQOFF_A_MAX + 1];

/* not a string unless it includes the last byte, which ends it */
static char junk[HUGE] = { [0 ... HUGE - 2] = 'a' };

/* the knob that an attribute sets; NULL: none */
static const struct tio_knob_desc *knob_of(unsigned int type)
{
	for (int i = 0; i < TIO_KNOBS; i++)
		if (tio_knobs[i].attr == (int)type)
			return &tio_knobs[i];
	return NULL;
}

static enum form form_of(unsigned int type)
{
	const struct tio_knob_desc *knob = knob_of(type);

	if (knob)
		return knob->byte ? FORM_U8 : FORM_U32;
	return type <= TRACE_IRQOFF_A_MAX ? forms[type] : FORM_NONE;
}

static struct nlattr *put(unsigned int type, const void *value, size_t len)
{
	struct nlattr *attr = (void *)request + NLMSG_ALIGN(head->nlmsg_len);

	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + len;
	memcpy((char *)attr + NLA_HDRLEN, value, len);
	memset((char *)attr + attr->nla_len, 0, NLA_ALIGN(len) - len);
	head->nlmsg_len = (char *)attr - request + NLA_ALIGN(attr->nla_len);
	return attr;
}

/* a CPU and a number, with one fault; 8: none */
static void put_cursor(unsigned int fault, unsigned int flag)
{
	struct nlattr *nest = put(TRACE_IRQOFF_A_CURSOR | flag, "", 0);
	__u32 cpu = fault == 0 ? 0xffffffff : 0;
	__u64 number = any(2) ? 0 : ~0ULL - any(2);

	if (fault != 1)
		put(TRACE_IRQOFF_A_CPU, &cpu, fault == 2 ? 3 : sizeof(cpu));
	if (fault != 3)
		put(TRACE_IRQOFF_A_SEQ, &number, fault == 4 ? 7 : sizeof(number));
	if (fault == 5)
		put(TRACE_IRQOFF_A_SEQ + 1 + any(200), junk, any(64));
	if (fault == 6)
		put(TRACE_IRQOFF_A_CPU | NLA_F_NESTED, junk, sizeof(cpu));
	if (fault == 7)
		put(TRACE_IRQOFF_A_SEQ, junk, sizeof(number) + 1);
	nest->nla_len = request + head->nlmsg_len - (char *)nest;
	bad_cursor |= fault < 8;
}

static void put_number(const struct tio_knob_desc *knob, __u32 number)
{
	__u8 byte = number;

	if (knob->byte)
		put(knob->attr, &byte, sizeof(byte));
	else
		put(knob->attr, &number, sizeof(number));
}

static __u32 proper_number(const struct tio_knob_desc *knob)
{
	__u32 period = 50U << any(8);

	switch (knob->attr) {
	case TRACE_IRQOFF_A_THRESHOLD_US:
		return 2 * period + 100 + any(50000);
	case TRACE_IRQOFF_A_PERIOD_US:
		return period;
	case TRACE_IRQOFF_A_RING_RECORDS:
		return 64;
	default:
		return knob->min + any(knob->max - knob->min + 1);
	}
}

static __u32 wrong_number(const struct tio_knob_desc *knob)
{
	if (knob->byte)
		return knob->max + 1 + any(255 - knob->max);
	switch (any(4)) {
	case 0:
		return knob->max + 1;
	case 1:
		return 0x80000000;
	case 2:
		return 0xffffffff;
	default:
		return knob->min ? any(knob->min) : knob->max + 1 + any(1000);
	}
}

static void put_proper(unsigned int type)
{
	static const char * const lists[] = { "default", "all", "0", "0-1", "0,1", " 1\n" };
	const struct tio_knob_desc *knob = knob_of(type);
	const char *list = lists[any(6)];

	bad_values[type] = false;
	has[type] = true;
	switch (form_of(type)) {
	case FORM_U8:
	case FORM_U32:
		put_number(knob, proper_number(knob));
		break;
	case FORM_TEXT:
		put(type, list, strlen(list) + 1);
		break;
	case FORM_FLAG:
		put(type, "", 0);
		break;
	default:
		put_cursor(8, NLA_F_NESTED);
	}
}

/* an attribute of the right type with a value that is not allowed */
static void put_beyond(unsigned int type)
{
	static const char * const lists[] = {
		"", "\n", "some", "1-0", "-1", "0-99999", "4294967296", "0 all", "all,0",
	};
	const struct tio_knob_desc *knob = knob_of(type);
	const char *list = lists[any(9)];

	switch (form_of(type)) {
	case FORM_U8:
	case FORM_U32:
		put_number(knob, wrong_number(knob));
		break;
	case FORM_TEXT:
		put(type, list, strlen(list) + 1);
		break;
	case FORM_FLAG:
		put_proper(type);
		return;
	default:
		put_cursor(any(8), NLA_F_NESTED);
		return;
	}
	bad_values[type] = true;
}

static void put_attribute(unsigned int type, enum shape shape)
{
	static const size_t sizes[] = {
		[FORM_NONE] = 4, [FORM_U8] = 1, [FORM_U32] = 4, [FORM_TEXT] = 5000,
		[FORM_FLAG] = 0, [FORM_CURSOR] = 2,
	};
	enum form form = form_of(type);
	size_t size = sizes[form];

	if (type <= TRACE_IRQOFF_A_MAX)
		has[type] = true;
	if (form != FORM_NONE && shape == PROPER)
		return put_proper(type);
	if (form != FORM_NONE && shape == BEYOND)
		return put_beyond(type);
	/* a flag is empty; an empty nest is refused only by operations that parse it */
	if (shape == EMPTY && form == FORM_CURSOR)
		bad_cursor = true;
	else
		malformed |= shape != EMPTY || form != FORM_FLAG;
	switch (shape) {
	case EMPTY:
		put(type, "", 0);
		break;
	case SHORT:
		put(type, junk, size ? size - 1 : 1);
		break;
	case ENORMOUS:
		put(type, junk, HUGE - 1);
		break;
	case WRONG:
		put(type, "wrong", 5);
		break;
	case NESTED:
		if (form == FORM_CURSOR)
			put_cursor(8, 0);
		else
			put(type | NLA_F_NESTED, junk, size);
		break;
	case TINY:
		put(type, "", 0)->nla_len = any(NLA_HDRLEN);
		break;
	case CUT:
		put(type, "", 0)->nla_len = 0xffff;
		break;
	default:
		put(type, junk + HUGE - size - 1, size + 1);
	}
}

/* a request without attributes */
static void begin(int family, unsigned int cmd, unsigned int flags)
{
	static __u32 seq;

	memset(request, 0, NLMSG_HDRLEN + GENL_HDRLEN);
	head->nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN;
	head->nlmsg_type = family;
	head->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	head->nlmsg_seq = ++seq;
	genl->cmd = cmd;
	genl->version = TRACE_IRQOFF_GENL_VERSION;
	malformed = false;
	bad_cursor = false;
	memset(bad_values, 0, sizeof(bad_values));
	memset(has, 0, sizeof(has));
}

#endif /* _FUZZ_REQUEST_H */
