// SPDX-License-Identifier: GPL-2.0-only
/* Which CPUs may have held up a reply: those that take the packets. */
#include "correlated.h"

/* a CPU that does not take the packets is not to blame */
static void other_cpu(void **state)
{
	add_stall(1, 600 * SECOND, 100 * MS);
	add_reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	filter.cpus = alloc(1, sizeof(*filter.cpus));
	filter.ncpus = 1;
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_NO_STALL);
}

/* one that took no packets in that time is not to blame */
static void took_no_packets(void **state)
{
	count_packets(100 * SECOND, 10, 20, 0);
	count_packets(995 * SECOND, 500, 20, 0);
	add_stall(1, 600 * SECOND, 100 * MS);
	add_reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_NO_STALL);
	assert_string_equal(correlation.nodes[0].how,
			    "CPU 0 took packets in that time (softnet_stat), the others are not asked");
}

static void serve(const char *dev, enum serving_why why, __u32 cpu)
{
	struct serving serving = { .why = why };

	if (!serving_any(why))
		cpuset_add(&serving.cpus, cpu);
	counted_serving(&model->counted, dev, &serving, SERVING_THEN);
	cpuset_free(&serving.cpus);
}

/* both took packets, and the device's interrupts go to one of them */
static void of_a_device(void **state)
{
	count_packets(100 * SECOND, 10, 20, 0);
	count_packets(995 * SECOND, 500, 600, 0);
	serve("eth0", SERVING_INTERRUPTS, 0);
	serve("eth1", SERVING_INTERRUPTS, 1);
	serve("veth0", SERVING_NO_INTERRUPTS, 0);
	add_stall(1, 600 * SECOND, 100 * MS);
	add_reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	correlation.dev = "eth0";
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_NO_STALL);
	correlate_again("eth1");
	assert_int_equal(only()->verdict, CORRELATE_STALL);
	correlate_again("veth0");
	assert_int_equal(only()->verdict, CORRELATE_STALL);
}

/* with RPS the CPU that is interrupted hands all packets on, and counts none */
static void steered(void **state)
{
	struct serving serving = { .why = SERVING_STEERED };

	cpuset_add(&serving.cpus, 0);
	cpuset_add(&serving.cpus, 1);
	counted_serving(&model->counted, "eth0", &serving, SERVING_THEN);
	cpuset_free(&serving.cpus);
	count_packets(100 * SECOND, 0, 20, 0);
	count_packets(995 * SECOND, 0, 5000, 0);
	add_stall(0, 600 * SECOND, 100 * MS);
	add_reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	correlation.dev = "eth0";
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_STALL);
	correlate_again(NULL);
	assert_int_equal(only()->verdict, CORRELATE_STALL);
}

/* tasks reply to requests, on CPUs that take no packets */
static void task_replies(void **state)
{
	count_packets(100 * SECOND, 10, 20, 0);
	count_packets(995 * SECOND, 500, 20, 0);
	add_stall(1, 600 * SECOND, 100 * MS);
	add_reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS)->kind = REPLY_REQUEST;
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_STALL);
}

/* one that took packets and went offline: nobody knows what it did */
static void went_offline(void **state)
{
	count_packets(100 * SECOND, 10, 20, 0);
	count_packets(995 * SECOND, 500, 600, 0);
	free(model->config.online);
	model->config.online = copy_text("0");
	add_reply(600 * SECOND, 60 * MS + BASE_NS);
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(only()->why, "CPU 1 "));
}

static void unknown_device(void **state)
{
	serve("eth0", SERVING_INTERRUPTS, 0);
	correlation.dev = "eth7";
	assert_int_equal(correlate_take(&correlation, &waiters, &filter), EXIT_FAILED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_correlation(other_cpu),
		test_correlation(took_no_packets),
		test_correlation(of_a_device),
		test_correlation(unknown_device),
		test_correlation(steered),
		test_correlation(task_replies),
		test_correlation(went_offline),
	};

	return cmocka_run_group_tests_name("correlate: CPUs", tests, NULL, NULL);
}
