// SPDX-License-Identifier: GPL-2.0-only
/* Changes settings. */
#include <errno.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdlib.h>
#include <time.h>

#include "base/clocks.h"
#include "base/say.h"
#include "source/decode.h"
#include "source/exchange.h"
#include "source/refusal.h"

/* The module attaches its probes in some 50 ms, and finds out in 150 that it cannot. */
#define ASK_NS		5000000
#define GIVE_UP_NS	2000000000

/* the settings that are in force tell which of two values does not go with the other */
static int refused(struct source *source, const struct knobs *knobs, const char *rule)
{
	struct model model = { 0 };
	struct exchange exchange = { .decode = decode_config, .model = &model };
	char *text;
	int ret;

	machine_read(&model.machine);
	ret = exchange_have(source, exchange_request(source, TRACE_IRQOFF_CMD_CONFIG_GET, 0),
			    &exchange);
	if (!ret) {
		text = refusal_text(knobs, &model, rule);
		ret = misuse("%s", text);
		free(text);
	}
	model_free(&model);
	return ret;
}

static int put_knobs(struct nl_msg *msg, const struct knobs *knobs)
{
	int ret = 0;

	for (unsigned int i = 0; i < TIO_KNOBS; i++) {
		if (!knobs->given[i])
			continue;
		if (tio_knobs[i].byte)
			ret |= nla_put_u8(msg, tio_knobs[i].attr, knobs->numbers[i]);
		else
			ret |= nla_put_u32(msg, tio_knobs[i].attr, knobs->numbers[i]);
	}
	if (knobs->given[KNOB_CPUS])
		ret |= nla_put_string(msg, TRACE_IRQOFF_A_CPUS, knobs->cpus);
	if (knobs->free)
		ret |= nla_put_flag(msg, TRACE_IRQOFF_A_FREE);
	return ret;
}

/**
 * source_set() - change settings, all of them or none
 * @source: the module
 * @knobs: what to set
 *
 * Asks again while the module attaches its probes.
 *
 * Return: an exit status; EXIT_USAGE where the module takes no such values.
 */
int source_set(struct source *source, const struct knobs *knobs)
{
	const __u64 end_ns = clock_monotonic_ns() + GIVE_UP_NS;
	const struct timespec pause = { .tv_nsec = ASK_NS };
	struct exchange exchange;
	int ret;

	do {
		struct nl_msg *msg = exchange_request(source, TRACE_IRQOFF_CMD_CONFIG_SET, 0);

		if (put_knobs(msg, knobs)) {
			nlmsg_free(msg);
			return misuse("the list of CPUs is too long; type ranges such as 0-511");
		}
		exchange = (struct exchange){ 0 };
		ret = exchange_have(source, msg, &exchange);
	} while (!ret && exchange.error == EINPROGRESS && clock_monotonic_ns() < end_ns &&
		 !nanosleep(&pause, NULL));
	if (!ret && *exchange.reason && (exchange.error == EINVAL || exchange.error == ERANGE))
		return refused(source, knobs, exchange.reason);
	return ret ? ret : exchange_conclude(&exchange);
}
