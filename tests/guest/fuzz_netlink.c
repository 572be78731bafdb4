// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_netlink SEED COUNT [ERRNO [FAMILY]]: sends bad requests to the module: each operation
 * with each attribute in each shape, then COUNT random ones. A malformed request must be
 * refused, and a refused one must change nothing. ERRNO is for users who may do nothing: each
 * request must end with that error, or with another one where it is malformed, which the kernel
 * finds first; and no other message may come back. FAMILY is needed where
 * the family's name cannot be looked up. Prints a line for each wrong answer, and a summary
 * that counts values in the answers that look like kernel addresses.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "fuzz_request.h"
#include "../../module/core/knobs.c"

#define MOST_FAULTS	5

/* where the kernel's half of the addresses begins; opaque numbers are below it */
#define KERNEL		0xffff000000000000

struct answer {
	int error;
	bool given;
	bool running;			/* a dump that has not ended */
	unsigned int messages;
};

struct settings {
	__u32 numbers[TIO_KNOBS];
	__u64 self_stops;
	char cpus[64];
};

static char reply[64 * 1024];
static struct settings settings;	/* in force before the request */
static int sock, family, wanted;
static unsigned long sent, refused, wrong, addresses, faults;

static void open_socket(void)
{
	struct sockaddr_nl self = { .nl_family = AF_NETLINK };
	struct timeval patience = { .tv_sec = 20 };
	int on = 1;

	sock = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	if (sock < 0 || bind(sock, (void *)&self, sizeof(self)))
		err(2, "socket");
	setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(sock, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	setsockopt(sock, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
}

/* counts numbers that are addresses of the kernel, except small negative ones */
static void count_addresses(const char *at, const char *end)
{
	while (at + NLA_HDRLEN <= end) {
		const struct nlattr *attr = (const void *)at;
		const char *value = at + NLA_HDRLEN, *next = at + NLA_ALIGN(attr->nla_len);
		__u64 number;

		if (attr->nla_len < NLA_HDRLEN || next > end)
			errx(2, "an answer is malformed");
		if (attr->nla_type & NLA_F_NESTED) {
			count_addresses(value, next);
		} else {
			for (; value + sizeof(number) <= next; value += sizeof(number)) {
				memcpy(&number, value, sizeof(number));
				addresses += number >= KERNEL && number < -4096ULL;
			}
		}
		at = next;
	}
}

/* reads the answers to @seq from the reply; true if the answer to @mark is among them */
static bool take(ssize_t len, __u32 seq, __u32 mark, struct answer *answer)
{
	struct nlmsghdr *one = (void *)reply;
	bool marked = false;
	int error;

	for (; NLMSG_OK(one, len); one = NLMSG_NEXT(one, len)) {
		memcpy(&error, NLMSG_DATA(one), sizeof(error));
		marked |= one->nlmsg_seq == mark;
		if (one->nlmsg_seq != seq)
			continue;
		if (one->nlmsg_type == NLMSG_ERROR || one->nlmsg_type == NLMSG_DONE) {
			answer->given = true;
			answer->running = false;
			answer->error = -error;
			continue;
		}
		count_addresses((char *)NLMSG_DATA(one) + GENL_HDRLEN,
				(char *)one + one->nlmsg_len);
		answer->messages++;
		answer->running = one->nlmsg_flags & NLM_F_MULTI;
	}
	return marked;
}

/*
 * Sends that many bytes of the request, and then a request that does nothing and is
 * always answered. Answers come in order, except for the rest of a dump.
 */
static struct answer ask(size_t len, bool abandon)
{
	struct nlmsghdr mark = {
		.nlmsg_len = NLMSG_HDRLEN, .nlmsg_type = NLMSG_NOOP,
		.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK, .nlmsg_seq = ~head->nlmsg_seq,
	};
	struct answer answer = { 0 };
	bool marked = false;

	sent++;
	if (send(sock, request, len, 0) != (ssize_t)len)
		err(2, "send %zu", len);
	if (send(sock, &mark, sizeof(mark), 0) != sizeof(mark))
		err(2, "send");
	while (!marked || (answer.running && !abandon)) {
		ssize_t got = recv(sock, reply, sizeof(reply), 0);

		if (got < 0)
			err(2, "no answer");
		marked |= take(got, head->nlmsg_seq, mark.nlmsg_seq, &answer);
	}
	if (answer.running) {
		close(sock);
		open_socket();
	}
	return answer;
}

static struct nlattr *find(unsigned int type)
{
	struct nlmsghdr *one = (void *)reply;
	char *at = (char *)NLMSG_DATA(one) + GENL_HDRLEN, *end = reply + one->nlmsg_len;

	for (; at < end; at += NLA_ALIGN(((struct nlattr *)at)->nla_len))
		if ((((struct nlattr *)at)->nla_type & NLA_TYPE_MASK) == type)
			return (void *)at;
	errx(2, "attribute %u is missing", type);
}

/* sends a valid request and leaves the answer in @reply */
static void get(const struct nlmsghdr *question)
{
	static char ack[sizeof(reply)];

	if (send(sock, question, question->nlmsg_len, 0) < 0)
		err(2, "send");
	if (recv(sock, reply, sizeof(reply), 0) < 0 || recv(sock, ack, sizeof(ack), 0) < 0)
		err(2, "no answer");
	if (((struct nlmsghdr *)reply)->nlmsg_type == NLMSG_ERROR)
		errx(2, "a valid request was refused");
}

static void read_settings(struct settings *now)
{
	const struct {
		struct nlmsghdr head;
		struct genlmsghdr genl;
	} question = {
		.head = {
			.nlmsg_len = sizeof(question),
			.nlmsg_type = family,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
		.genl.cmd = TRACE_IRQOFF_CMD_CONFIG_GET,
	};

	get(&question.head);
	memset(now, 0, sizeof(*now));
	for (int i = 0; i < TIO_KNOBS; i++) {
		const char *value = (char *)find(tio_knobs[i].attr) + NLA_HDRLEN;

		if (tio_knobs[i].byte)
			now->numbers[i] = *(__u8 *)value;
		else
			memcpy(&now->numbers[i], value, sizeof(__u32));
	}
	memcpy(&now->self_stops, (char *)find(TRACE_IRQOFF_A_SELF_STOPS) + NLA_HDRLEN,
	       sizeof(now->self_stops));
	snprintf(now->cpus, sizeof(now->cpus), "%s",
		 (char *)find(TRACE_IRQOFF_A_CPUS) + NLA_HDRLEN);
}

static void fault(const char *what, const struct answer *answer)
{
	printf("%s: operation %u flags 0x%x of %u bytes, error %d, %u messages:", what, genl->cmd,
	       head->nlmsg_flags, head->nlmsg_len, answer->error, answer->messages);
	for (unsigned int i = NLMSG_HDRLEN + GENL_HDRLEN; i < head->nlmsg_len && i < 100; i++)
		printf(" %02x", (unsigned char)request[i]);
	putchar('\n');
	if (++faults == MOST_FAULTS)
		exit(1);
}

static bool dumps(void)
{
	return (head->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
}

static bool supported(void)
{
	switch (genl->cmd) {
	case TRACE_IRQOFF_CMD_CONFIG_GET:
	case TRACE_IRQOFF_CMD_CONFIG_SET:
	case TRACE_IRQOFF_CMD_CLEAR:
		return !dumps();
	case TRACE_IRQOFF_CMD_RECORD_GET:
	case TRACE_IRQOFF_CMD_HISTOGRAM_GET:
	case TRACE_IRQOFF_CMD_COUNTER_GET:
		return dumps();
	default:
		return false;
	}
}

static bool any_bad_value(void)
{
	return memchr(bad_values, true, sizeof(bad_values));
}

/* an attribute that another operation takes */
static bool stray(void)
{
	for (unsigned int type = 0; type <= TRACE_IRQOFF_A_MAX; type++) {
		bool reads = type == TRACE_IRQOFF_A_CURSOR || type == TRACE_IRQOFF_A_NAMES;

		if (has[type] && genl->cmd != (reads ? TRACE_IRQOFF_CMD_RECORD_GET :
						       TRACE_IRQOFF_CMD_CONFIG_SET))
			return true;
	}
	return false;
}

static bool to_be_refused(void)
{
	return !supported() || malformed || stray() ||
	       (bad_cursor && genl->cmd == TRACE_IRQOFF_CMD_RECORD_GET) ||
	       (any_bad_value() && genl->cmd == TRACE_IRQOFF_CMD_CONFIG_SET);
}

static bool within_limits(const struct settings *now)
{
	for (int i = 0; i < TIO_KNOBS; i++)
		if (now->numbers[i] < tio_knobs[i].min || now->numbers[i] > tio_knobs[i].max)
			return false;
	return now->numbers[TIO_KNOB_THRESHOLD_US] >= 2 * now->numbers[TIO_KNOB_PERIOD_US] &&
	       now->numbers[TIO_KNOB_RING_RECORDS] == settings.numbers[TIO_KNOB_RING_RECORDS] &&
	       *now->cpus;
}

/* where beats take more time than MAX_COST_PPM allows, watching stops by itself */
static void allow_self_stop(const struct settings *now)
{
	if (now->self_stops == settings.self_stops)
		return;
	settings.self_stops = now->self_stops;
	settings.numbers[TIO_KNOB_ENABLE] = 0;
}

/* @framed: the headers are valid, so the right answer is known */
static void judge(size_t len, bool framed, bool abandon)
{
	struct answer answer = ask(len, abandon);
	bool bad = framed && to_be_refused();
	struct settings now;

	refused += answer.error != 0;
	wrong += bad;
	if (framed && !answer.given && !answer.running)
		fault("not answered", &answer);
	if (bad && !answer.error)
		fault("accepted", &answer);
	if (wanted && answer.messages)
		fault("answered", &answer);
	if (wanted && framed && supported() && answer.error != wanted &&
	    !(answer.error && (malformed || bad_cursor)))
		fault("wrong error", &answer);
	/* a user who may do nothing cannot read the settings either */
	if (wanted)
		return;
	read_settings(&now);
	allow_self_stop(&now);
	if ((answer.error || genl->cmd != TRACE_IRQOFF_CMD_CONFIG_SET) &&
	    memcmp(&settings, &now, sizeof(now)))
		fault("settings changed", &answer);
	if (!within_limits(&now))
		fault("settings beyond their limits", &answer);
	settings = now;
}

/* the attribute alone, and twice: after and before a valid one of the same type */
static void one_shape(unsigned int cmd, unsigned int flags, unsigned int type, enum shape shape,
		      int twice)
{
	begin(family, cmd, flags);
	if (twice == 1)
		put_proper(type);
	put_attribute(type, shape);
	if (twice == 2)
		put_proper(type);
	judge(head->nlmsg_len, true, false);
}

/*
 * An attribute that no request takes, as the flag, the u8, the u32 and the u64 that it could
 * be. One that requests do take, and that fuzz_request.h does not know, is accepted here.
 */
static void not_taken(unsigned int type)
{
	static const size_t lengths[] = { 0, 1, 4, 8 };
	static const char zeros[8];

	for (unsigned int i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		begin(family, TRACE_IRQOFF_CMD_CONFIG_SET, 0);
		put(type, zeros, lengths[i]);
		malformed = true;
		judge(head->nlmsg_len, true, false);
	}
}

static void each_shape(unsigned int cmd, unsigned int flags, unsigned int type)
{
	if (form_of(type) == FORM_NONE) {
		/* all operations have one policy */
		if (cmd == TRACE_IRQOFF_CMD_CONFIG_SET && !flags)
			not_taken(type);
		/* the shape hardly matters */
		one_shape(cmd, flags, type, EMPTY + (type + cmd) % (SHAPES - EMPTY), 0);
		return;
	}
	/* only the operation matters to a user who may do nothing */
	for (enum shape shape = PROPER; shape < SHAPES; shape++)
		for (int twice = 0; twice < (wanted ? 1 : 3); twice++)
			one_shape(cmd, flags, type, shape, twice);
}

/*
 * Those who may do nothing are refused before an attribute is looked at. Each of them tries
 * every fourth attribute, and those with other seeds the others.
 */
#define DENIED_STEP	4

static void each(unsigned int seed)
{
	const unsigned int step = wanted ? DENIED_STEP : 1;

	for (unsigned int cmd = 0; cmd <= TRACE_IRQOFF_CMD_MAX + 1; cmd++) {
		for (unsigned int flags = 0; flags <= NLM_F_DUMP; flags += NLM_F_DUMP) {
			begin(family, cmd, flags);
			judge(head->nlmsg_len, true, false);
			for (unsigned int type = seed % step; type < TRACE_IRQOFF_A_MAX + 3;
			     type += step)
				each_shape(cmd, flags, type);
		}
	}
}

/* makes the headers random, but addresses nobody else; returns how many bytes to send */
static size_t misframe(void)
{
	size_t len = head->nlmsg_len;

	switch (any(8)) {
	case 0:
		head->nlmsg_flags = any(0x10000);
		break;
	case 1:
		head->nlmsg_len = any(2) ? any(64) : len + any(1000);
		break;
	case 2:
		head->nlmsg_type = any(NLMSG_MIN_TYPE);
		break;
	case 3:
		genl->version = any(256);
		genl->reserved = any(0x10000);
		break;
	case 4:
		head->nlmsg_pid = any(0xffffffff);
		break;
	case 5:
		return 1 + any(len);
	default:
		for (size_t i = NLMSG_HDRLEN + GENL_HDRLEN; i < len; i++)
			request[i] = any(256);
	}
	return len;
}

static void at_random(void)
{
	unsigned int attrs = any(MOST_ATTRS + 1);
	enum shape shape = PROPER;
	size_t len;
	bool framed;

	begin(family, any(TRACE_IRQOFF_CMD_MAX + 2), any(2) * NLM_F_DUMP);
	/* no attribute can follow one of these shapes */
	while (attrs-- && shape != TINY && shape != CUT) {
		unsigned int type = any(TRACE_IRQOFF_A_MAX + 3);

		while (any(8) && form_of(type) == FORM_NONE)
			type = any(TRACE_IRQOFF_A_MAX + 1);
		shape = any(2) ? PROPER : any(SHAPES);
		put_attribute(type, shape);
	}
	len = head->nlmsg_len;
	framed = any(4);
	if (!framed)
		len = misframe();
	judge(len, framed, !any(4));
}

static int look_up(void)
{
	begin(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	put(CTRL_ATTR_FAMILY_NAME, TRACE_IRQOFF_GENL_NAME, sizeof(TRACE_IRQOFF_GENL_NAME));
	get(head);
	return *(__u16 *)((char *)find(CTRL_ATTR_FAMILY_ID) + NLA_HDRLEN);
}

int main(int argc, char **argv)
{
	unsigned long count = any_from(argc, argv, "fuzz_netlink SEED COUNT [ERRNO [FAMILY]]");

	wanted = argc > 3 ? atoi(argv[3]) : 0;
	open_socket();
	family = argc > 4 ? atoi(argv[4]) : look_up();
	if (!wanted)
		read_settings(&settings);
	/* what comes next may stop and free all records, which have the addresses */
	begin(family, TRACE_IRQOFF_CMD_RECORD_GET, NLM_F_DUMP);
	judge(head->nlmsg_len, true, false);
	each(atoi(argv[1]));
	while (count--)
		at_random();
	printf("family %d, seed %s: %lu requests, %lu of them wrong, %lu refused, ", family,
	       argv[1], sent, wrong, refused);
	printf("%lu addresses, %lu faults\n", addresses, faults);
	return !!faults;
}
