// SPDX-License-Identifier: GPL-2.0-only
/* Attributes are those that libnl finds, whatever bytes a message has. */
#include "fixture.h"

#include "source/attributes.h"

#define MESSAGES	100000
#define MOST		6
#define ROOM		64

/* libnl 3.4 takes policies without const */
static struct nla_policy policy[MOST + 1] = {
	[1] = { .type = NLA_U8, .minlen = 1, .maxlen = 1 },
	[2] = { .type = NLA_U32, .minlen = 4, .maxlen = 4 },
	[3] = { .type = NLA_U64, .minlen = 8, .maxlen = 8 },
	[4] = { .type = NLA_STRING },
	[5] = { .type = NLA_NESTED },
};

static unsigned int state = 1;

/* the same numbers on every machine */
static unsigned int below(unsigned int limit)
{
	state = state * 1103515245 + 12345;
	return (state >> 8) % limit;
}

/* mostly attributes of a right length, one behind another */
static size_t make(char *bytes)
{
	static const unsigned int lens[MOST + 2] = { 3, 1, 4, 8, 5, 12, 0, 9 };
	size_t len = 0;

	while (len + 20 <= ROOM && below(8)) {
		unsigned int type = below(MOST + 2);
		struct nlattr *attr = (struct nlattr *)(bytes + len);

		memset(attr, 0, 20);
		attr->nla_type = type | (below(4) ? 0 : NLA_F_NESTED);
		attr->nla_len = NLA_HDRLEN + lens[type] + (below(16) ? 0 : below(4));
		memset(attr + 1, 'a', lens[type] > !!below(8) ? lens[type] - 1 : 0);
		len += NLA_ALIGN(attr->nla_len);
	}
	if (len && !below(4))
		bytes[below(len)] = below(256);
	return len - (len && !below(4) ? below(len < 6 ? len : 6) : 0);
}

static void finds_what_libnl_does(void **unused)
{
	unsigned int right = 0;

	for (unsigned int i = 0; i < MESSAGES; i++) {
		struct nlattr *found[MOST + 1], *wanted[MOST + 1];
		__u32 room[ROOM / sizeof(__u32)];
		size_t len = make((char *)room);
		/* of that length, so that reading on behind it is noticed */
		char *bytes = alloc(1, len);
		bool is;

		memcpy(bytes, room, len);
		is = !nla_parse(wanted, MOST, (struct nlattr *)bytes, len, policy);
		assert_int_equal(attributes_find(found, MOST, bytes, len, policy), is);
		if (is)
			assert_memory_equal(found, wanted, sizeof(found));
		right += is;
		free(bytes);
	}
	/* neither is an exception */
	assert_in_range(right, MESSAGES / 20, MESSAGES * 19 / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_libnl_does),
	};

	return cmocka_run_group_tests_name("attributes", tests, NULL, NULL);
}
