// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's answers to a request: errors, their messages, ends of dumps. */
#include "fixture.h"

#include <errno.h>
#include <limits.h>
#include <netlink/genl/genl.h>
#include <unistd.h>

#include "answers.h"
#include "names/frame.h"
#include "said.h"
#include "source/module.h"
#include "source/source.h"
#include "version.h"
#include "wire.h"

/* the whole answer, in one piece */
static char answer[1024];
static size_t answer_len;

static void add(struct nl_msg *msg)
{
	struct nlmsghdr *head = nlmsg_hdr(msg);

	assert_true(answer_len + NLMSG_ALIGN(head->nlmsg_len) <= sizeof(answer));
	memcpy(answer + answer_len, head, NLMSG_ALIGN(head->nlmsg_len));
	answer_len += NLMSG_ALIGN(head->nlmsg_len);
	nlmsg_free(msg);
}

/* an error that quotes @quoted bytes of a request and claims a length of @quoted_len */
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

enum question { CHANGE, SET, DUMP, CONFIG, GROUP };

static int put_question(struct source *source, enum question question, struct model *model)
{
	const struct knobs knobs = {
		.given[TIO_KNOB_PERIOD_US] = true,
		.numbers[TIO_KNOB_PERIOD_US] = 500,
		.words[TIO_KNOB_PERIOD_US] = "period=500us",
	};
	int group;

	switch (question) {
	case SET:
		return source_set(source, &knobs);
	case DUMP:
		return source_counters(source, model);
	case CONFIG:
		return source_config(source, model);
	case GROUP:
		return source_group(source, &group);
	default:
		return source_clear(source);
	}
}

/* sends the request and keeps what the reader prints to standard error */
static int ask(enum question question)
{
	struct source *source = answers_source(answer, answer_len);
	struct model model = { 0 };
	int status;

	said_begin();
	status = put_question(source, question, &model);
	said_end();
	source_close(source);
	model_free(&model);
	answer_len = 0;
	return status;
}

static void assert_refused(enum question question, const char *wanted)
{
	assert_int_equal(ask(question), EXIT_FAILED);
	assert_string_equal(said, wanted);
}

static void done(void **state)
{
	add_error(0, NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
	assert_int_equal(ask(CHANGE), EXIT_DONE);
	add_done(0, 0);
	assert_int_equal(ask(DUMP), EXIT_DONE);
	assert_string_equal(said, "");
}

static void sentences(void **state)
{
	add_error(-EINVAL, NLM_F_CAPPED | NLM_F_ACK_TLVS, sizeof(struct nlmsghdr), 500);
	assert_refused(CHANGE, "irqoff: the rule\n");
	add_error(-EINVAL, NLM_F_ACK_TLVS, 28, 28);
	assert_refused(CHANGE, "irqoff: the rule\n");
	add_error(-EINVAL, NLM_F_ACK_TLVS, 32, 29);
	assert_refused(CHANGE, "irqoff: the rule\n");
	add_error(-EINVAL, 0, 28, 28);
	assert_refused(CHANGE, "irqoff: the kernel refused: Invalid argument\n");
	add_done(-EINVAL, NLM_F_ACK_TLVS);
	assert_refused(DUMP, "irqoff: the rule\n");
	add_done(-EINVAL, 0);
	assert_refused(DUMP, "irqoff: the kernel refused: Invalid argument\n");
}

/* what the kernel says of the family, which has no groups */
static void add_family(__u16 number)
{
	struct nl_msg *msg = nlmsg_alloc();

	assert_non_null(genlmsg_put(msg, 0, 0, GENL_ID_CTRL, 0, 0, CTRL_CMD_NEWFAMILY, 2));
	nla_put_u16(msg, CTRL_ATTR_FAMILY_ID, number);
	nla_put_string(msg, CTRL_ATTR_FAMILY_NAME, TRACE_IRQOFF_GENL_NAME);
	add(msg);
}

/* a module that goes between two questions is no error of a follower */
static void group_goes(void **state)
{
	add_error(-ENOENT, 0, 28, 28);
	assert_int_equal(ask(GROUP), FOLLOW_GONE);
	assert_string_equal(said, "");
	/* it went and came */
	add_family(18);
	assert_int_equal(ask(GROUP), FOLLOW_GONE);
	assert_string_equal(said, "");
	add_family(17);
	assert_int_equal(ask(GROUP), EXIT_FAILED);
	assert_non_null(strstr(said, "does not tell when stalls end"));
}

/* as access.c of the module has it */
#define READING "reading takes CAP_PERFMON, CAP_SYSLOG or CAP_SYS_ADMIN"

/* the module's sentence ends with capabilities; some kernels drop that of a dump */
static void denied(void **state)
{
	add_error(-EPERM, NLM_F_CAPPED | NLM_F_ACK_TLVS, sizeof(struct nlmsghdr), 20);
	assert_refused(CHANGE, "irqoff: the rule of the host itself; "
		       "run irqoff as root of the host\n");
	add_done(-EPERM, NLM_F_ACK_TLVS);
	assert_refused(DUMP, "irqoff: the rule of the host itself; "
		       "run irqoff as root of the host\n");
	add_error(-EPERM, NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
	assert_refused(CHANGE, "irqoff: changing takes CAP_SYS_ADMIN of the host itself; "
		       "run irqoff as root of the host\n");
	add_done(-EPERM, 0);
	assert_refused(DUMP, "irqoff: " READING " of the host itself; "
		       "run irqoff as root of the host\n");
}

/* a value that the module does not take is wrong usage; what it cannot do is a failure */
static void refused_values(void **state)
{
	static const int invalid[] = { -EINVAL, -ERANGE };

	for (size_t i = 0; i < ARRAY_SIZE(invalid); i++) {
		add_error(invalid[i], NLM_F_CAPPED | NLM_F_ACK_TLVS, sizeof(struct nlmsghdr), 20);
		assert_int_equal(ask(SET), EXIT_USAGE);
		assert_string_equal(said, "irqoff: period=500us: the rule\n");
	}
	add_error(-EINVAL, NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
	assert_refused(SET, "irqoff: the kernel refused: Invalid argument\n");
	add_error(-EOPNOTSUPP, NLM_F_CAPPED | NLM_F_ACK_TLVS, sizeof(struct nlmsghdr), 20);
	assert_refused(SET, "irqoff: the rule\n");
	/* a CPU does not answer: the module's sentence names it */
	add_error(-EAGAIN, NLM_F_CAPPED | NLM_F_ACK_TLVS, sizeof(struct nlmsghdr), 20);
	assert_refused(SET, "irqoff: the rule\n");
	add_error(-ENOMEM, NLM_F_CAPPED | NLM_F_ACK_TLVS, sizeof(struct nlmsghdr), 20);
	assert_refused(SET, "irqoff: the rule\n");
	add_error(-ENOMEM, NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
	assert_refused(SET, "irqoff: the kernel refused: Cannot allocate memory\n");
}

/* what was asked for, as the module reads it */
static struct nlattr *sent[TRACE_IRQOFF_A_MAX + 1];
static char request[512];

static int keep_request(struct nl_sock *socket, struct nl_msg *msg)
{
	struct nlmsghdr *head = nlmsg_hdr(msg);

	assert_in_range(head->nlmsg_len, 0, sizeof(request));
	memcpy(request, head, head->nlmsg_len);
	assert_int_equal(genlmsg_parse((void *)request, 0, sent, TRACE_IRQOFF_A_MAX, NULL), 0);
	return 1;
}

static int receive(struct nl_sock *socket, struct sockaddr_nl *from, unsigned char **buf,
		   struct ucred **cred)
{
	memset(from, 0, sizeof(*from));
	*buf = malloc(answer_len);
	memcpy(*buf, answer, answer_len);
	return answer_len;
}

/* the answers to requests in turn, and where each ends */
static unsigned int nrequests;
static size_t answer_ends[3];

static int count_request(struct nl_sock *socket, struct nl_msg *msg)
{
	const struct genlmsghdr *head = nlmsg_data(nlmsg_hdr(msg));

	assert_int_equal(head->cmd, TRACE_IRQOFF_CMD_CONFIG_SET);
	assert_true(nrequests < ARRAY_SIZE(answer_ends));
	nrequests++;
	return 1;
}

static int receive_next(struct nl_sock *socket, struct sockaddr_nl *from, unsigned char **buf,
			struct ucred **cred)
{
	size_t begin = nrequests > 1 ? answer_ends[nrequests - 2] : 0;
	size_t len = answer_ends[nrequests - 1] - begin;

	memset(from, 0, sizeof(*from));
	*buf = malloc(len);
	memcpy(*buf, answer + begin, len);
	return len;
}

/* a start that takes a while, and ends with that error */
static int start(int error)
{
	const int errors[ARRAY_SIZE(answer_ends)] = { -EINPROGRESS, -EINPROGRESS, error };
	struct nl_sock *socket = nl_socket_alloc();
	struct nl_cb *cb = nl_socket_get_cb(socket);
	struct source *source = source_on(socket, 17);
	struct knobs knobs = { 0 };
	int ret;

	nl_cb_overwrite_send(cb, count_request);
	nl_cb_overwrite_recv(cb, receive_next);
	nl_cb_put(cb);
	nl_socket_disable_seq_check(socket);
	answer_len = 0;
	nrequests = 0;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		add_error(errors[i], NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
		answer_ends[i] = answer_len;
	}
	assert_int_equal(knobs_parse(&knobs, "enable=1", NULL), EXIT_DONE);
	ret = source_set(source, &knobs);
	assert_int_equal(nrequests, ARRAY_SIZE(errors));
	source_close(source);
	answer_len = 0;
	return ret;
}

/* the module does not wait, and the reader asks until it has ended */
static void starts(void **state)
{
	assert_int_equal(start(0), EXIT_DONE);
	assert_int_equal(start(-EAGAIN), EXIT_FAILED);
	/* the module went */
	assert_int_equal(start(-ENOENT), EXIT_FAILED);
}

static void requests(void **state)
{
	struct nl_sock *socket = nl_socket_alloc();
	struct nl_cb *cb = nl_socket_get_cb(socket);
	struct source *source = source_on(socket, 17);
	struct knobs knobs = { .free = true };

	nl_cb_overwrite_send(cb, keep_request);
	nl_cb_overwrite_recv(cb, receive);
	nl_cb_put(cb);
	nl_socket_disable_seq_check(socket);
	add_error(0, NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
	assert_int_equal(knobs_parse(&knobs, "enable=0", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "nmi=off", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "nmi_rate=70000", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "guard=never", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "max_cost=6%", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "cpus=0-1", NULL), EXIT_DONE);
	assert_int_equal(source_set(source, &knobs), EXIT_DONE);
	assert_int_equal(nla_len(sent[TRACE_IRQOFF_A_ENABLE]), 1);
	assert_int_equal(nla_get_u8(sent[TRACE_IRQOFF_A_ENABLE]), 0);
	assert_int_equal(nla_len(sent[TRACE_IRQOFF_A_NMI]), 1);
	assert_int_equal(nla_get_u8(sent[TRACE_IRQOFF_A_NMI]), TRACE_IRQOFF_NMI_OFF);
	assert_int_equal(nla_len(sent[TRACE_IRQOFF_A_NMI_RATE]), 4);
	assert_int_equal(nla_get_u32(sent[TRACE_IRQOFF_A_NMI_RATE]), 70000);
	assert_int_equal(nla_get_u8(sent[TRACE_IRQOFF_A_GUARD]), TRACE_IRQOFF_GUARD_NEVER);
	assert_int_equal(nla_get_u32(sent[TRACE_IRQOFF_A_MAX_COST_PPM]), 60000);
	assert_string_equal(nla_get_string(sent[TRACE_IRQOFF_A_CPUS]), "0-1");
	assert_non_null(sent[TRACE_IRQOFF_A_FREE]);
	assert_int_equal(nla_len(sent[TRACE_IRQOFF_A_FREE]), 0);
	assert_null(sent[TRACE_IRQOFF_A_NMI_CPU_RATE]);
	assert_null(sent[TRACE_IRQOFF_A_THRESHOLD_US]);
	source_close(source);
	answer_len = 0;
}

/* lengths and errors that no kernel sends */
static void nonsense(void **state)
{
	static const __u32 lengths[] = { 0, 15, 500, 0x7fffffff, 0x80000010, 0xffffffff };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		add_error(-EINVAL, NLM_F_ACK_TLVS, 28, lengths[i]);
		assert_refused(CHANGE, "irqoff: the kernel refused: Invalid argument\n");
	}
	add_error(INT_MIN, NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
	assert_refused(CHANGE, "irqoff: the kernel refused: Protocol error\n");
	add_error(1, NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
	assert_refused(CHANGE, "irqoff: the kernel refused: Protocol error\n");
	add_done(INT_MIN, 0);
	assert_refused(DUMP, "irqoff: the kernel refused: Protocol error\n");
}

static void add_config(__u32 version)
{
	struct nl_msg *msg = nlmsg_alloc();

	genlmsg_put(msg, 0, 0, 17, 0, NLM_F_MULTI, TRACE_IRQOFF_CMD_CONFIG_GET, 1);
	nla_put_u32(msg, TRACE_IRQOFF_A_VERSION, version);
	nla_put_string(msg, TRACE_IRQOFF_A_MODULE_VERSION, "7.8.9");
	nla_put_u32(msg, TRACE_IRQOFF_A_THRESHOLD_US, 10000);
	nla_put_u32(msg, TRACE_IRQOFF_A_PERIOD_US, 1000);
	nla_put_u64(msg, TRACE_IRQOFF_A_NOW_NS, NOW_NS);
	add(msg);
	add_error(0, NLM_F_CAPPED, sizeof(struct nlmsghdr), 20);
}

/* another version makes the reader print one line and go on */
static void other_versions(void **state)
{
	add_config(TRACE_IRQOFF_API);
	assert_int_equal(ask(CONFIG), EXIT_DONE);
	assert_string_equal(said, "");
	add_config(TRACE_IRQOFF_API + 1);
	assert_int_equal(ask(CONFIG), EXIT_DONE);
	assert_non_null(strstr(said, "irqoff: the module (7.8.9) has interface"));
	assert_non_null(strstr(said, "what is newer is left out\n"));
	add_config(TRACE_IRQOFF_API - 1);
	assert_int_equal(ask(CONFIG), EXIT_DONE);
	assert_non_null(strstr(said, "what came later is missing or 0\n"));
	assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

static __u8 asked[8];
static bool asked_names[ARRAY_SIZE(asked)];
static unsigned int nasked;

/* the only record; NULL: there is none */
static const struct entry *kept;

static int on_send(struct nl_sock *socket, struct nl_msg *msg)
{
	const struct genlmsghdr *head = nlmsg_data(nlmsg_hdr(msg));

	assert_in_range(nasked, 0, ARRAY_SIZE(asked) - 1);
	asked_names[nasked] = genlmsg_attrlen(head, 0) &&
			      nla_find(genlmsg_attrdata(head, 0), genlmsg_attrlen(head, 0),
				       TRACE_IRQOFF_A_NAMES);
	asked[nasked++] = head->cmd;
	answer_len = 0;
	if (head->cmd == TRACE_IRQOFF_CMD_RECORD_GET && kept)
		add(wire_record(kept));
	if (head->cmd == TRACE_IRQOFF_CMD_CONFIG_GET)
		add_config(TRACE_IRQOFF_API);
	else
		add_done(0, 0);
	return 1;
}

static void collect_kept(struct collection *collection)
{
	struct nl_sock *socket = nl_socket_alloc();
	struct nl_cb *cb = nl_socket_get_cb(socket);
	struct source *source = source_on(socket, 17);
	struct filter filter;

	nl_cb_overwrite_send(cb, on_send);
	nl_cb_overwrite_recv(cb, receive);
	nl_cb_put(cb);
	nl_socket_disable_seq_check(socket);
	filter_init(&filter);
	nasked = 0;
	assert_int_equal(collect_from(collection, source, &filter, "/proc", false), EXIT_DONE);
	filter_free(&filter);
	source_close(source);
	answer_len = 0;
}

/* the clock is read after the records, so that none is newer than the heading */
static void clock_comes_last(void **state)
{
	struct collection collection;

	collect_kept(&collection);
	assert_int_equal(collection.model.config.now_ns, NOW_NS);
	for (unsigned int i = 0; i < nasked; i++)
		assert_int_equal(asked[i] == TRACE_IRQOFF_CMD_CONFIG_GET, i + 1 == nasked);
	collect_free(&collection);
}

/* how often records were asked for */
static unsigned int asked_records(void)
{
	unsigned int times = 0;

	for (unsigned int i = 0; i < nasked; i++)
		times += asked[i] == TRACE_IRQOFF_CMD_RECORD_GET;
	return times;
}

/* the module names the frames of few records; kallsyms is read where a name did not fit */
static void few_records_bring_names(void **state)
{
	struct model model = { 0 };
	struct collection collection;
	struct symbol symbol;
	struct entry *entry = add_hard(&model, 0, 0, NOW_NS, 20 * MS);

	set_stack(&entry->rec.end, AT_DELAY_TSC, AT_MEMORY_STAT, 0ULL);
	entry->names = alloc(2, sizeof(*entry->names));
	entry->names[0] = (struct kernel_name){ AT_DELAY_TSC, "delay_tsc+0x11/0x40" };
	entry->names[1] = (struct kernel_name){ AT_MEMORY_STAT, "memory_stat_show+0x22/0x80" };
	entry->nnames = 2;
	kept = entry;

	collect_kept(&collection);
	assert_int_equal(asked_records(), 1);
	assert_true(asked_names[1]);
	frame_symbol(collection.symbols, collection.model.entries[0],
		     &collection.model.entries[0]->rec.end, 1, &symbol);
	assert_string_equal(symbol.name, "memory_stat_show");
	collect_free(&collection);

	entry->nnames = 1;
	collect_kept(&collection);
	assert_int_equal(asked_records(), 2);
	assert_int_equal(collection.model.nentries, 1);
	collect_free(&collection);
	kept = NULL;
	model_free(&model);
}

/* the module's directory in sysfs while it is loaded and unloaded */
static void module_states(void **state)
{
	static const struct {
		const char *word;
		enum module_state wanted;
	} cases[] = {
		{ "live\n", MODULE_LIVE }, { "coming\n", MODULE_COMING },
		{ "going\n", MODULE_GOING }, { "", MODULE_GOING },
	};
	char dir[] = "/tmp/irqoff-test-XXXXXX", path[64];

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/initstate", dir);
	assert_int_equal(module_state(dir), MODULE_LIVE);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		FILE *file = fopen(path, "w");

		fputs(cases[i].word, file);
		fclose(file);
		assert_int_equal(module_state(dir), cases[i].wanted);
	}
	unlink(path);
	rmdir(dir);
	assert_int_equal(module_state(dir), MODULE_ABSENT);
}

static void why_nobody_answers(void **state)
{
	static const struct {
		enum module_state state;
		enum netns netns;
		const char *wanted;
	} cases[] = {
		{ MODULE_ABSENT, NETNS_HOST, "not loaded; load it" },
		{ MODULE_ABSENT, NETNS_OTHER, "not loaded; load it" },
		{ MODULE_COMING, NETNS_HOST, "is being loaded; try again" },
		{ MODULE_COMING, NETNS_OTHER, "is being loaded; try again" },
		{ MODULE_GOING, NETNS_UNKNOWN, "is being unloaded" },
		{ MODULE_LIVE, NETNS_HOST, "is being loaded or unloaded; try again" },
		{ MODULE_LIVE, NETNS_OTHER, "nsenter -t 1 -n" },
		{ MODULE_LIVE, NETNS_UNKNOWN, "nsenter -t 1 -n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (!strstr(module_silence(cases[i].state, cases[i].netns), cases[i].wanted))
			fail_msg("case %zu", i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(done),
		cmocka_unit_test(sentences),
		cmocka_unit_test(denied),
		cmocka_unit_test(refused_values),
		cmocka_unit_test(requests),
		cmocka_unit_test(starts),
		cmocka_unit_test(nonsense),
		cmocka_unit_test(other_versions),
		cmocka_unit_test(clock_comes_last),
		cmocka_unit_test(few_records_bring_names),
		cmocka_unit_test(module_states),
		cmocka_unit_test(why_nobody_answers),
		cmocka_unit_test(group_goes),
	};

	return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
