// SPDX-License-Identifier: GPL-2.0-only
#include "correlated.h"

struct correlation correlation;
struct filter filter;

static char *targets[] = { (char *)"node" };

int open_correlation(void **state)
{
	open_waiters(state);
	watch_waiters(&(struct watching){
		.cpus = 2, .from_ns = ENABLED_NS, .to_ns = TO_NS, .threshold_ns = 5 * MS,
		.boot_ns = BOOT_NS,
	});
	filter = (struct filter){ .until_ns = ~0ULL };
	replies = (struct replies){ .targets = targets, .ntargets = 1, .grain_ns = 1000 };
	correlation = (struct correlation){ .clock.how = LOG_CLOCK_GIVEN };
	return 0;
}

int close_correlation(void **state)
{
	correlate_free(&correlation);
	free(replies.all);
	free(filter.cpus);
	return close_waiters(state);
}

void add_stall(__u32 cpu, __u64 end_ns, __u64 max_ns)
{
	__u64 seq = model->counters[cpu].produced++;
	struct entry *entry = add_soft(model, cpu, seq, end_ns, max_ns - MS, 0);

	entry->rec.max_ns = max_ns;
	model->counters[cpu].kept++;
}

struct reply *add_reply(__u64 sent_ns, __u64 took_ns)
{
	replies.all = grow(replies.all, replies.count, sizeof(*replies.all));
	replies.all[replies.count++] = (struct reply){
		.sent_ns = BOOT_NS + sent_ns, .came_ns = BOOT_NS + sent_ns + took_ns,
	};
	return &replies.all[replies.count - 1];
}

void add_lost(__u64 sent_ns)
{
	struct reply *lost = add_reply(sent_ns, 0);

	lost->lost = true;
	replies.lost++;
	lost->came_ns = 0;
}

void add_usual(void)
{
	for (__u64 at_ns = 110 * SECOND; at_ns < 990 * SECOND; at_ns += SECOND)
		add_reply(at_ns, BASE_NS);
}

void correlate_over(__u64 over_ns)
{
	if (replies.count < 100)
		add_usual();
	model_sort(model);
	judge_all(model);
	correlation.replies = &replies;
	slows_find(&correlation.slows, &replies, over_ns);
	correlate_take(&correlation, &waiters, &filter);
	correlate_finish(&correlation);
}

void correlate(void)
{
	correlate_over(10 * MS);
}

void correlate_again(const char *dev)
{
	correlate_free(&correlation);
	correlation = (struct correlation){ .clock.how = LOG_CLOCK_GIVEN, .dev = dev };
	correlate();
}

const struct finding *only(void)
{
	assert_int_equal(correlation.slows.count, 1);
	return correlation.findings;
}

void count_packets(__u64 at_ns, unsigned int first, unsigned int second, unsigned int dropped)
{
	char text[512];
	const struct counted_file file = {
		.path = "/proc/net/softnet_stat", .text = text, .read = { at_ns, at_ns },
	};

	snprintf(text, sizeof(text), "%08x 0 0 0 0 0 0 0 0 0 0 0 00000000 0 0\n"
		 "%08x %08x 0 0 0 0 0 0 0 0 0 0 00000001 0 0\n", first, second, dropped);
	counted_file(&model->counted, &file);
}
