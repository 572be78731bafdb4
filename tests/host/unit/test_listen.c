// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel tells without being asked. */
#include "fixture.h"

#include <linux/genetlink.h>
#include <netlink/genl/genl.h>

#include "source/decode.h"
#include "source/listen.h"

#define FAMILY	17

static struct nl_msg *message(int type, int command)
{
	struct nl_msg *msg = nlmsg_alloc();

	assert_non_null(msg);
	assert_non_null(genlmsg_put(msg, 0, 0, type, 0, 0, command, 1));
	return msg;
}

static struct nl_msg *wake_message(void)
{
	struct nl_msg *msg = message(FAMILY, TRACE_IRQOFF_CMD_WAKE);

	nla_put_u64(msg, TRACE_IRQOFF_A_INSTANCE, 1ULL << 60);
	nla_put_u64(msg, TRACE_IRQOFF_A_GENERATION, 5);
	return msg;
}

static void put_news(struct nl_msg *msg, __u32 cpu, __u64 produced, bool watched, bool open)
{
	struct nlattr *nest = nla_nest_start(msg, TRACE_IRQOFF_A_NEWS);

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, cpu);
	nla_put_u64(msg, TRACE_IRQOFF_A_PRODUCED, produced);
	if (watched)
		nla_put_flag(msg, TRACE_IRQOFF_A_WATCHED_CPU);
	if (open)
		nla_put_flag(msg, TRACE_IRQOFF_A_OPEN);
	nla_nest_end(msg, nest);
}

static enum heard hear(struct nl_msg *msg)
{
	struct wake wake;
	enum heard heard = listen_message(nlmsg_hdr(msg), FAMILY, &wake);

	free(wake.news);
	nlmsg_free(msg);
	return heard;
}

static void wakes(void **state)
{
	struct nl_msg *msg = wake_message();
	struct wake wake;

	put_news(msg, 3, 1ULL << 40, true, false);
	put_news(msg, 511, 0, false, true);
	assert_int_equal(listen_message(nlmsg_hdr(msg), FAMILY, &wake), HEARD_WAKE);
	assert_true(wake.instance == 1ULL << 60);
	assert_int_equal(wake.generation, 5);
	assert_int_equal(wake.nnews, 2);
	assert_int_equal(wake.news[0].cpu, 3);
	assert_true(wake.news[0].produced == 1ULL << 40);
	assert_true(wake.news[0].watched && !wake.news[0].open);
	assert_int_equal(wake.news[1].cpu, 511);
	assert_true(!wake.news[1].watched && wake.news[1].open);
	free(wake.news);
	nlmsg_free(msg);

	/* settings alone */
	msg = wake_message();
	assert_int_equal(listen_message(nlmsg_hdr(msg), FAMILY, &wake), HEARD_WAKE);
	assert_int_equal(wake.nnews, 0);
	nlmsg_free(msg);
}

/* whatever it says, there is something */
static void broken_wakes(void **state)
{
	struct nl_msg *msg = message(FAMILY, TRACE_IRQOFF_CMD_WAKE);

	nla_put_u64(msg, TRACE_IRQOFF_A_INSTANCE, 1);
	assert_int_equal(hear(msg), HEARD_MISSED);
	msg = wake_message();
	put_news(msg, 1, 1, false, false);
	nla_put(msg, TRACE_IRQOFF_A_NEWS, 3, "abc");
	assert_int_equal(hear(msg), HEARD_MISSED);
	msg = wake_message();
	nla_put_u32(msg, TRACE_IRQOFF_A_GENERATION, 1);
	assert_int_equal(hear(msg), HEARD_MISSED);
	/* of a newer interface */
	assert_int_equal(hear(message(FAMILY, 99)), HEARD_MISSED);
}

static struct nl_msg *family_message(int command, const char *name)
{
	struct nl_msg *msg = message(GENL_ID_CTRL, command);

	nla_put_u16(msg, CTRL_ATTR_FAMILY_ID, FAMILY);
	if (name)
		nla_put_string(msg, CTRL_ATTR_FAMILY_NAME, name);
	return msg;
}

static void comes_and_goes(void **state)
{
	assert_int_equal(hear(family_message(CTRL_CMD_NEWFAMILY, "trace_irqoff")), HEARD_CAME);
	assert_int_equal(hear(family_message(CTRL_CMD_DELFAMILY, "trace_irqoff")), HEARD_WENT);
	/* its group comes and goes as well, and other families do */
	assert_int_equal(hear(family_message(CTRL_CMD_NEWMCAST_GRP, "trace_irqoff")),
			 HEARD_NOTHING);
	assert_int_equal(hear(family_message(CTRL_CMD_NEWFAMILY, "trace_irqoff2")), HEARD_NOTHING);
	assert_int_equal(hear(family_message(CTRL_CMD_DELFAMILY, "trace")), HEARD_NOTHING);
	assert_int_equal(hear(family_message(CTRL_CMD_DELFAMILY, NULL)), HEARD_NOTHING);
	assert_int_equal(hear(message(FAMILY + 1, TRACE_IRQOFF_CMD_WAKE)), HEARD_NOTHING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wakes),
		cmocka_unit_test(broken_wakes),
		cmocka_unit_test(comes_and_goes),
	};

	return cmocka_run_group_tests_name("listen", tests, NULL, NULL);
}
