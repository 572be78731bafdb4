// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's answers to a request: errors, their sentences, ends of dumps. */
#include "fixture.h"

#include <errno.h>
#include <limits.h>
#include <netlink/genl/genl.h>
#include <unistd.h>

#include "answers.h"
#include "source.h"

/* all that comes, in one piece */
static char answer[1024];
static size_t answer_len;
static char said[256];

static void add(struct nl_msg *msg)
{
	struct nlmsghdr *head = nlmsg_hdr(msg);

	assert_true(answer_len + NLMSG_ALIGN(head->nlmsg_len) <= sizeof(answer));
	memcpy(answer + answer_len, head, NLMSG_ALIGN(head->nlmsg_len));
	answer_len += NLMSG_ALIGN(head->nlmsg_len);
	nlmsg_free(msg);
}

/* an error that quotes a request of so many bytes, and says that it is so long */
static void add_error(int error, int flags, size_t quoted, __u32 quoted_len)
{
	struct nlmsgerr body = { .error = error, .msg.nlmsg_len = quoted_len };
	struct nl_msg *msg = nlmsg_alloc();
	const char rest[64] = { 0 };

	assert_non_null(nlmsg_put(msg, 0, 0, NLMSG_ERROR, 0, flags));
	assert_int_equal(nlmsg_append(msg, &body, sizeof(body), 0), 0);
	nlmsg_append(msg, (void *)rest, quoted - sizeof(body.msg), NLMSG_ALIGNTO);
	nla_put_string(msg, NLMSGERR_ATTR_MSG, "the rule");
	add(msg);
}

static void add_done(int error, int flags)
{
	struct nl_msg *msg = nlmsg_alloc();

	assert_non_null(nlmsg_put(msg, 0, 0, NLMSG_DONE, 0, NLM_F_MULTI | flags));
	assert_int_equal(nlmsg_append(msg, &error, sizeof(error), 0), 0);
	nla_put_string(msg, NLMSGERR_ATTR_MSG, "the rule");
	add(msg);
}

/* asks for a change, or for counters, and looks at what is said to that */
static int ask(bool dump)
{
	struct source *source = answers_source(answer, answer_len);
	int kept = dup(STDERR_FILENO), status;
	FILE *file = tmpfile();
	struct model model = { 0 };

	dup2(fileno(file), STDERR_FILENO);
	status = dump ? source_counters(source, &model) : source_clear(source);
	dup2(kept, STDERR_FILENO);
	close(kept);
	rewind(file);
	said[fread(said, 1, sizeof(said) - 1, file)] = '\0';
	fclose(file);
	source_close(source);
	model_free(&model);
	answer_len = 0;
	return status;
}

static void assert_refused(bool dump, const char *wanted)
{
	assert_int_equal(ask(dump), EXIT_FAILED);
	assert_string_equal(said, wanted);
}

static void done(void **state)
{
	(void)state;
	add_error(0, NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
	assert_int_equal(ask(false), EXIT_DONE);
	add_done(0, 0);
	assert_int_equal(ask(true), EXIT_DONE);
	assert_string_equal(said, "");
}

static void sentences(void **state)
{
	(void)state;
	add_error(-EINVAL, NLM_F_CAPPED | NLM_F_ACK_TLVS, sizeof(struct nlmsghdr), 500);
	assert_refused(false, "irqoff: the rule\n");
	add_error(-EINVAL, NLM_F_ACK_TLVS, 28, 28);
	assert_refused(false, "irqoff: the rule\n");
	add_error(-EINVAL, NLM_F_ACK_TLVS, 32, 29);
	assert_refused(false, "irqoff: the rule\n");
	add_error(-EINVAL, 0, 28, 28);
	assert_refused(false, "irqoff: the kernel refused: Invalid argument\n");
	add_done(-EINVAL, NLM_F_ACK_TLVS);
	assert_refused(true, "irqoff: the rule\n");
	add_done(-EINVAL, 0);
	assert_refused(true, "irqoff: the kernel refused: Invalid argument\n");
}

/* lengths and errors that no kernel sends */
static void nonsense(void **state)
{
	static const __u32 lengths[] = { 0, 15, 500, 0x7fffffff, 0x80000010, 0xffffffff };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		add_error(-EINVAL, NLM_F_ACK_TLVS, 28, lengths[i]);
		assert_refused(false, "irqoff: the kernel refused: Invalid argument\n");
	}
	add_error(INT_MIN, NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
	assert_refused(false, "irqoff: the kernel refused: Protocol error\n");
	add_error(1, NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
	assert_refused(false, "irqoff: the kernel refused: Protocol error\n");
	add_done(INT_MIN, 0);
	assert_refused(true, "irqoff: the kernel refused: Protocol error\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(done),
		cmocka_unit_test(sentences),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
