// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/say.h"
#include "model/counted.h"
#include "model/net_drops.h"

/* counters of lost SYNs, the one that says most about the reason first, with the known cause */
static const struct {
	enum net_counter counter;
	const char *cause;	/* id of a known cause; NULL: it does not tell the reason */
} signs[] = {
	{ NET_INSERT_FAILED, "conntrack-insert-failed" },
	{ NET_CSUM_ERRORS, "vxlan-checksum" },
	{ NET_LISTEN_DROPS, "listen-drops" },
	{ NET_SYN_RETRANS, NULL },
};

static void add_value(struct net_value *sum, const struct net_value *value)
{
	if (!value->known)
		return;
	sum->known = true;
	sum->value += value->value;
}

static void add_namespace(struct net_drops *losses, const struct model *model, __u64 inode,
			  __u64 from_ns, __u64 to_ns)
{
	struct net_growth growth;

	/* what was counted since boot says nothing of one packet */
	if (counted_net(model, inode, from_ns, to_ns, &growth) != COUNTED_BETWEEN)
		return;
	losses->asked = true;
	for (unsigned int i = 0; i < NET_COUNTERS; i++)
		add_value(&losses->net[i], &growth.values[i]);
}

static void take_more(struct net_value *most, const struct net_value *value)
{
	if (value->known && (!most->known || value->value > most->value))
		*most = *value;
}

/**
 * net_drops_hear() - take up what one more capture has counted
 * @losses: zeroed at first; captures of one node may overlap, so the one that has most counts
 * @model: of the node
 * @cpus: that took packets
 * @from_ns: when the packet was sent, by the kernel's clock
 * @to_ns: when it came after all
 */
void net_drops_hear(struct net_drops *losses, const struct model *model, const struct cpuset *cpus,
		    __u64 from_ns, __u64 to_ns)
{
	const struct net_counted *counted = &model->counted;
	struct net_value backlog = { .known = true };
	struct net_drops own = { 0 };

	for (size_t i = 0; i < counted->ninodes; i++)
		add_namespace(&own, model, counted->inodes[i], from_ns, to_ns);
	for (unsigned int i = 0; i < NET_COUNTERS; i++)
		take_more(&losses->net[i], &own.net[i]);
	if (counted_drops(model, cpus, from_ns, to_ns, &backlog.value) == COUNTED_BETWEEN)
		take_more(&losses->backlog, &backlog);
	losses->asked = losses->asked || own.asked;
}

/* the known cause that the counters speak for; NULL: they speak for none */
const char *net_drops_cause(const struct net_drops *losses)
{
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (losses->net[signs[i].counter].value && signs[i].cause)
			return signs[i].cause;
	return NULL;
}

/* "TCPSynRetrans grew by 3, insert_failed by 1", to be freed; NULL: none grew */
char *net_drops_words(const struct net_drops *losses)
{
	char *words = NULL;

	for (size_t i = ARRAY_SIZE(signs); i--; ) {
		const struct net_value *value = &losses->net[signs[i].counter];
		char *longer;

		if (!value->value)
			continue;
		longer = print_text("%s%s%s %sby %llu", words ? words : "", words ? ", " : "",
				    net_counter_word(signs[i].counter), words ? "" : "grew ",
				    value->value);
		free(words);
		words = longer;
	}
	return words;
}
