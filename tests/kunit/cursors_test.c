// SPDX-License-Identifier: GPL-2.0-only
/* The cursors in a request for records. */
#include <linux/cpumask.h>

#include "message.h"

/* reads a message of one CURSOR with these bytes as attributes */
static int cursor(struct kunit *test, const void *attrs, int len, u32 *cpu, u64 *seq)
{
	struct fixture *fix = begin(test);

	put(test, TRACE_IRQOFF_A_CURSOR | NLA_F_NESTED, len, attrs);
	KUNIT_ASSERT_EQ(test, parse(fix), 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, fix->tb[TRACE_IRQOFF_A_CURSOR]);
	return tio_request_cursor(fix->tb[TRACE_IRQOFF_A_CURSOR], cpu, seq, &fix->extack);
}

struct cpu_attr {
	struct nlattr head;
	u32 value;
};

struct seq_attr {
	struct nlattr head;
	u64 value;
} __packed;

struct cursor_attrs {
	struct cpu_attr cpu;
	struct seq_attr seq;
} __packed;

static const struct cursor_attrs good = {
	.cpu = { { sizeof(struct cpu_attr), TRACE_IRQOFF_A_CPU }, 0 },
	.seq = { { sizeof(struct seq_attr), TRACE_IRQOFF_A_SEQ }, U64_MAX - 1 },
};

static void cursors(struct kunit *test)
{
	struct cursor_attrs attrs = good;
	unsigned int i;
	u32 cpu = 99;
	u64 seq = 99;

	EXPECT_INT(test, cursor(test, &attrs, sizeof(attrs), &cpu, &seq), 0);
	EXPECT_NUM(test, cpu, 0);
	EXPECT_NUM(test, seq, U64_MAX - 1);
	for (i = 0; i < nr_cpu_ids + 70; i++) {
		bool possible = i < nr_cpu_ids && cpu_possible(i);

		attrs.cpu.value = i;
		EXPECT_INT_IN(test, cursor(test, &attrs, sizeof(attrs), &cpu, &seq),
			      possible ? 0 : -EINVAL, i);
	}
	attrs.cpu.value = U32_MAX;
	EXPECT_INT(test, cursor(test, &attrs, sizeof(attrs), &cpu, &seq), -EINVAL);
}

static void broken_cursors(struct kunit *test)
{
	struct fixture *fix = test->priv;
	struct cursor_attrs attrs = good;
	struct { struct cursor_attrs attrs; struct nlattr third; } __packed more = { good };
	const struct seq_attr wide[] = {
		{ { sizeof(struct seq_attr), TRACE_IRQOFF_A_CPU }, 0 },
		{ { sizeof(struct seq_attr), TRACE_IRQOFF_A_SEQ }, 0 },
	};
	const struct cpu_attr narrow[] = {
		{ { sizeof(struct cpu_attr), TRACE_IRQOFF_A_CPU }, 0 },
		{ { sizeof(struct cpu_attr), TRACE_IRQOFF_A_SEQ }, 0 },
	};
	u32 cpu;
	u64 seq;

	/* one of the two attributes is missing, or both; the message differs from the policy's */
	EXPECT_INT(test, cursor(test, &attrs.cpu, sizeof(attrs.cpu), &cpu, &seq), -EINVAL);
	KUNIT_EXPECT_STREQ(test, fix->extack._msg ?: "nothing",
			   "a cursor takes a CPU and a sequence number");
	EXPECT_INT(test, cursor(test, &attrs.seq, sizeof(attrs.seq), &cpu, &seq), -EINVAL);
	EXPECT_INT(test, cursor(test, &attrs, 0, &cpu, &seq), -EINVAL);

	/* a truncated number; a CPU as wide as a number; a number as narrow as a CPU */
	EXPECT_INT(test, cursor(test, &attrs, sizeof(attrs) - 1, &cpu, &seq), -EINVAL);
	EXPECT_INT(test, cursor(test, &wide, sizeof(wide), &cpu, &seq), -EINVAL);
	EXPECT_INT(test, cursor(test, &narrow, sizeof(narrow), &cpu, &seq), -EINVAL);

	/* one more level of nesting */
	attrs = good;
	attrs.seq.head.nla_type |= NLA_F_NESTED;
	EXPECT_INT(test, cursor(test, &attrs, sizeof(attrs), &cpu, &seq), -EINVAL);

	/* trailing bytes, a known attribute that does not belong here, an unknown one */
	EXPECT_INT(test, cursor(test, &more, sizeof(attrs) + 3, &cpu, &seq), -EINVAL);
	more.third = (struct nlattr) { NLA_HDRLEN, TRACE_IRQOFF_A_NAMES };
	EXPECT_INT(test, cursor(test, &more, sizeof(attrs) + 4, &cpu, &seq), -EINVAL);
	more.third = (struct nlattr) { NLA_HDRLEN, TRACE_IRQOFF_A_SEQ + 1 };
	EXPECT_INT(test, cursor(test, &more, sizeof(attrs) + 4, &cpu, &seq), -EINVAL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(cursors),
	KUNIT_CASE(broken_cursors),
	{ }
};

TIO_SUITE("cursors", "trace_irqoff's netlink cursors",
	  .init = message_setup, .exit = message_teardown);
