// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's files of what the network counted, as a capture may have them. The first byte
 * says which file it is; a list of online CPUs may come before the text.
 */
#include "fuzz.h"

#include "base/say.h"
#include "model/counted.h"
#include "model/model.h"

static const char * const paths[] = {
	"/proc/net/softnet_stat", "/proc/net/snmp", "/proc/net/netstat",
	"/proc/net/stat/nf_conntrack",
};

static void check(const struct net_counted *counted)
{
	for (size_t i = 0; i < counted->nsoftnets; i++) {
		const struct softnet_counts *counts = &counted->softnets[i];

		promise(counts->ncpus);
		for (size_t k = 0; k < counts->ncpus; k++) {
			promise(counts->cpus[k].cpu < CPUSET_MOST);
			promise(!k || counts->cpus[k].cpu > counts->cpus[k - 1].cpu);
		}
	}
}

static void ask(const struct model *model)
{
	struct cpuset cpus = { 0 };
	struct net_growth growth;
	__u64 dropped;

	counted_cpus(model, 1, 1, &cpus);
	counted_drops(model, &cpus, 1, 1, &dropped);
	counted_net(model, 0, 1, 1, &growth);
	cpuset_free(&cpus);
}

/* the same text twice, so that nothing has grown */
int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	struct input input = { data, size };
	unsigned int which = take_number(&input, 1);
	char *online = text_of(take_until(&input, BETWEEN)), *text = text_of(input);
	struct counted_file file = {
		.path = paths[which % ARRAY_SIZE(paths)],
		.online = online,
		.text = text,
	};
	struct model model = { 0 };

	for (__u64 at_ns = 0; at_ns < 3; at_ns += 2) {
		file.read = (struct moments){ at_ns, at_ns };
		counted_file(&model.counted, &file);
	}
	check(&model.counted);
	ask(&model);
	model_free(&model);
	free(online);
	free(text);
	return 0;
}
