// SPDX-License-Identifier: GPL-2.0-only
/* What the network counted: texts of kernels old and new, wrong ones, and answers of captures. */
#include "fixture.h"

#include "model/counted.h"

#define SECOND	(1000 * MS)

static struct model model;
static struct net_counted *counted;

static int begin(void **state)
{
	model = (struct model){ 0 };
	counted = &model.counted;
	return 0;
}

static int end(void **state)
{
	model_free(&model);
	return 0;
}

/* a file that was read within a millisecond */
static void add(__u64 at_s, __u64 inode, const char *path, const char *online, const char *text)
{
	const struct counted_file file = {
		.path = path, .text = text, .inode = inode, .online = online,
		.read = { at_s * SECOND, at_s * SECOND + MS },
	};

	counted_file(counted, &file);
}

static void add_softnet(__u64 at_s, const char *text)
{
	add(at_s, 0, "/proc/net/softnet_stat", NULL, text);
}

/* of a kernel of 5.10 or newer */
static void add_cpu(char *text, __u32 cpu, __u32 processed, __u32 dropped)
{
	sprintf(text + strlen(text), "%08x %08x 00000003 0 0 0 0 0 0 0 0 00000000 %08x 0 0\n",
		processed, dropped, cpu);
}

static void add_two(__u64 at_s, __u32 processed0, __u32 dropped0, __u32 processed9,
		    __u32 dropped9)
{
	char text[512] = "";

	add_cpu(text, 0, processed0, dropped0);
	add_cpu(text, 9, processed9, dropped9);
	add_softnet(at_s, text);
}

static void assert_cpus(__u64 from_s, __u64 to_s, enum counted_how how, const char *wanted)
{
	struct cpuset cpus = { 0 };
	char list[64];

	assert_int_equal(counted_cpus(&model, from_s * SECOND, to_s * SECOND, &cpus), how);
	assert_string_equal(cpuset_print(list, sizeof(list), &cpus), wanted);
	cpuset_free(&cpus);
}

static void assert_drops(const char *list, __u64 from_s, __u64 to_s, enum counted_how how,
			 __u64 wanted)
{
	struct cpuset cpus = { 0 };
	__u64 dropped;

	cpuset_add_list(&cpus, list);
	assert_int_equal(counted_drops(&model, &cpus, from_s * SECOND, to_s * SECOND, &dropped),
			 how);
	if (how != COUNTED_UNKNOWN)
		assert_int_equal(dropped, wanted);
	cpuset_free(&cpus);
}

static void softnet_texts(void **state)
{
	static const char older[] = "000000ff 00000001 00000002 0 0 0 0 0 0 0 0\n"
				    "00000000 00000000 00000000 0 0 0 0 0 0 0 0\n"
				    "00000010 00000000 00000000 0 0 0 0 0 0 0 0\n";
	static const char * const wrong[] = {
		"", "\n", "x 0 0\n", "1 2\n", "1 -2 3\n", "0x1 2 3\n",
		"11111111111111111111111111 2 3\n",
		/* the number of a CPU that none has; twice; not ascending */
		"1 2 3 0 0 0 0 0 0 0 0 0 10000\n", "1 2 3 0 0 0 0 0 0 0 0 0 ffffffffffffffff\n",
		"1 2 3 0 0 0 0 0 0 0 0 0 1\n1 2 3 0 0 0 0 0 0 0 0 0 1\n",
		"1 2 3 0 0 0 0 0 0 0 0 0 1\n1 2 3 0 0 0 0 0 0 0 0 0 0\n",
		"1 2 3 0 0 0 0 0 0 0 0 0 1\n\n",
		"1 2 3 0 0 0 0 0 0 0 0 0 1\nirqoff\n",
	};
	const struct softnet_cpu *cpu;

	add(1, 0, "/proc/net/softnet_stat", "0,3-4", older);
	assert_int_equal(counted->nsoftnets, 1);
	assert_int_equal(counted->softnets[0].ncpus, 3);
	cpu = &counted->softnets[0].cpus[2];
	assert_int_equal(cpu->cpu, 4);
	assert_int_equal(cpu->processed, 16);
	cpu = &counted->softnets[0].cpus[0];
	assert_int_equal(cpu->processed, 255);
	assert_int_equal(cpu->dropped, 1);
	assert_int_equal(cpu->squeezed, 2);
	/* nobody knows whose rows they are */
	add(1, 0, "/proc/net/softnet_stat", "0-1", older);
	add(1, 0, "/proc/net/softnet_stat", "0-3", older);
	add(1, 0, "/proc/net/softnet_stat", NULL, older);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		add_softnet(1, wrong[i]);
		if (counted->nsoftnets != 1)
			fail_msg("'%s' was taken for counters", wrong[i]);
	}
	add_two(2, 7, 0, 1, 0);
	assert_int_equal(counted->nsoftnets, 2);
	assert_int_equal(counted->softnets[1].cpus[1].cpu, 9);
}

static void cpus_that_took_packets(void **state)
{
	assert_cpus(1, 2, COUNTED_UNKNOWN, "");
	add_two(10, 5, 0, 0, 0);
	/* one moment: what was counted until then, also before the time */
	assert_cpus(1, 2, COUNTED_SINCE_BOOT, "0");
	assert_cpus(11, 12, COUNTED_SINCE_BOOT, "0");
	add_two(20, 5, 0, 9, 0);
	add_two(30, 6, 0, 9, 0);
	assert_cpus(11, 12, COUNTED_BETWEEN, "9");
	assert_cpus(21, 30, COUNTED_BETWEEN, "0");
	/* the last moment before and the first after, not those in between */
	assert_cpus(11, 21, COUNTED_BETWEEN, "0,9");
	/* it has not been read wholly by then */
	assert_cpus(20, 21, COUNTED_BETWEEN, "0,9");
	assert_cpus(31, 32, COUNTED_SINCE_BOOT, "0,9");
	/* after the time is better than ever */
	assert_cpus(9, 9, COUNTED_SINCE_BOOT, "0");
}

static void cpus_that_come_and_go(void **state)
{
	char text[512] = "";

	add_two(10, 5, 1, 7, 1);
	add_cpu(text, 0, 5, 1);
	add_cpu(text, 3, 1, 6);
	add_cpu(text, 4, 0, 0);
	add_softnet(20, text);
	assert_cpus(11, 12, COUNTED_BETWEEN, "3,9");
	assert_drops("0", 11, 12, COUNTED_BETWEEN, 0);
	assert_drops("0,3", 11, 12, COUNTED_UNKNOWN, 0);
	assert_drops("9", 11, 12, COUNTED_UNKNOWN, 0);
	/* offline at both: it dropped nothing */
	assert_drops("0,70", 11, 12, COUNTED_BETWEEN, 0);
	assert_drops("0-70", 21, 22, COUNTED_SINCE_BOOT, 7);
}

static void drops(void **state)
{
	assert_drops("0-9", 1, 2, COUNTED_UNKNOWN, 0);
	/* the kernel's counters wrap */
	add_two(10, 0xffffffff, 0xfffffffe, 1, 4);
	add_two(20, 3, 2, 1, 14);
	assert_cpus(11, 12, COUNTED_BETWEEN, "0");
	assert_drops("0", 11, 12, COUNTED_BETWEEN, 4);
	assert_drops("0-9", 11, 12, COUNTED_BETWEEN, 14);
	assert_drops("1", 11, 12, COUNTED_BETWEEN, 0);
	assert_drops("9", 1, 2, COUNTED_SINCE_BOOT, 4);
	assert_drops("9", 30, 40, COUNTED_SINCE_BOOT, 14);
}

static void add_tcp(__u64 at_s, __u64 inode, unsigned int retrans, unsigned int syn)
{
	char text[512];

	sprintf(text, "Ip: Forwarding RetransSegs\nIp: 1 77\n"
		"Tcp: RtoAlgorithm MaxConn RetransSegs InErrs InCsumErrors\n"
		"Tcp: 1 -1 %u 3 4\nUdp: InCsumErrors\nUdp: 99\n", retrans);
	add(at_s, inode, "/proc/net/snmp", NULL, text);
	sprintf(text, "TcpExt: ListenOverflows ListenDrops TCPTimeouts TCPSynRetrans\n"
		"TcpExt: 1 2 18446744073709551615 %u\nIpExt: ListenDrops\nIpExt: 55\n", syn);
	add(at_s, inode, "/proc/net/netstat", NULL, text);
}

static void add_conntrack(__u64 at_s, __u64 inode, unsigned int failed0, unsigned int failed1)
{
	char text[512];

	sprintf(text, "entries  searched insert_failed drop early_drop\n"
		"00000001  00000000 %08x 00000002 00000009\n"
		"00000001  00000000 %08x 00000003 00000009\n", failed0, failed1);
	add(at_s, inode, "/proc/net/stat/nf_conntrack", NULL, text);
}

static const struct net_value *value_of(enum net_counter counter)
{
	return &counted->nets[counted->nnets - 1].values[counter];
}

static void assert_value(enum net_counter counter, __u64 wanted)
{
	assert_true(value_of(counter)->known);
	assert_true(value_of(counter)->value == wanted);
}

static void namespace_texts(void **state)
{
	static const char * const paths[] = { "/proc/net/snmp", "/proc/net/netstat",
					      "/proc/net/stat/nf_conntrack" };
	static const char * const wrong[] = {
		"", "\n", "\n\n\n", "Tcp:", "Tcp:\n", "Tcp: RetransSegs\n",
		"Tcp: RetransSegs\nTcp:\n", "Tcp: RetransSegs\nUdp: 1\n",
		"Tcp: RetransSegs\nTcp: -1\n", "Tcp: RetransSegs\nTcp: 1x\n",
		"TcpExt: ListenDrops\n\nTcpExt: 1\n",
		"TcpExt: ListenDropsX XListenDrops\nTcpExt: 1 1\n", "drop\n", "drop\n\n",
		"drop\nx\n", "drop\n1\nx\n", "entries drop\n1\n", "entries drop\n1 2\n1\n",
		"dropped\n1\n",
	};

	add_tcp(1, 0, 5, 6);
	add_conntrack(1, 0, 0x10, 1);
	/* one moment of one namespace */
	assert_int_equal(counted->nnets, 1);
	assert_value(NET_RETRANS, 5);
	assert_value(NET_CSUM_ERRORS, 4);
	assert_value(NET_SYN_RETRANS, 6);
	assert_value(NET_TIMEOUTS, ~0ULL);
	assert_value(NET_LISTEN_DROPS, 2);
	assert_value(NET_LISTEN_OVERFLOWS, 1);
	assert_value(NET_INSERT_FAILED, 17);
	assert_value(NET_DROP, 5);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(paths); k++)
			add(2 + i, 7, paths[k], NULL, wrong[i]);
		for (unsigned int k = 0; k < NET_COUNTERS; k++)
			if (value_of(k)->known)
				fail_msg("'%s': %s is known", wrong[i], net_counter_word(k));
	}
	assert_int_equal(counted->nnets, 1 + ARRAY_SIZE(wrong));
	/* other files are nobody's */
	add(99, 0, "/proc/net/snmp6", NULL, "Tcp: RetransSegs\nTcp: 1\n");
	assert_int_equal(counted->nnets, 1 + ARRAY_SIZE(wrong));
}

static void assert_growth(const struct net_growth *growth, enum net_counter counter, __u64 wanted)
{
	if (!growth->values[counter].known)
		fail_msg("%s is not known", net_counter_word(counter));
	assert_int_equal(growth->values[counter].value, wanted);
}

static void growth_of_namespaces(void **state)
{
	struct net_growth growth;

	assert_int_equal(counted_net(&model, 0, 1, 2, &growth), COUNTED_UNKNOWN);
	assert_false(growth.values[NET_RETRANS].known);
	add_tcp(10, 0, 5, 6);
	add_tcp(10, 4026531999, 100, 200);
	assert_int_equal(counted_net(&model, 0, SECOND, 2 * SECOND, &growth), COUNTED_SINCE_BOOT);
	assert_growth(&growth, NET_RETRANS, 5);
	assert_int_equal(growth.between.from_ns, 0);
	add_tcp(20, 0, 7, 6);
	add_conntrack(20, 0, 0xffffffff, 0);
	add_tcp(20, 4026531999, 101, 203);
	add_tcp(30, 0, 7, 5);
	add_conntrack(30, 0, 4, 0);
	assert_int_equal(counted_net(&model, 0, 11 * SECOND, 12 * SECOND, &growth),
			 COUNTED_BETWEEN);
	assert_growth(&growth, NET_RETRANS, 2);
	assert_growth(&growth, NET_SYN_RETRANS, 0);
	/* nobody counted that before */
	assert_false(growth.values[NET_DROP].known);
	assert_int_equal(growth.between.from_ns, 10 * SECOND);
	assert_int_equal(growth.between.to_ns, 20 * SECOND + MS);
	assert_int_equal(counted_net(&model, 4026531999, 11 * SECOND, 12 * SECOND, &growth),
			 COUNTED_BETWEEN);
	assert_growth(&growth, NET_RETRANS, 1);
	assert_growth(&growth, NET_SYN_RETRANS, 3);
	assert_int_equal(counted_net(&model, 4026531999, 21 * SECOND, 22 * SECOND, &growth),
			 COUNTED_SINCE_BOOT);
	assert_int_equal(counted_net(&model, 7, 11 * SECOND, 12 * SECOND, &growth),
			 COUNTED_UNKNOWN);
	assert_int_equal(counted_net(&model, 0, 21 * SECOND, 22 * SECOND, &growth),
			 COUNTED_BETWEEN);
	/* one falls, one wraps */
	assert_false(growth.values[NET_SYN_RETRANS].known);
	assert_growth(&growth, NET_INSERT_FAILED, 5);
	assert_growth(&growth, NET_DROP, 0);
}

static void other_clock(void **state)
{
	struct net_growth growth;

	add_two(10, 5, 0, 0, 0);
	add_two(20, 6, 0, 0, 0);
	add_tcp(10, 0, 5, 6);
	add_tcp(20, 0, 6, 6);
	model_rebase(&model);
	assert_cpus(11, 12, COUNTED_BETWEEN, "0");
	model.config.realtime_ns = 1000 * SECOND;
	model_rebase(&model);
	assert_cpus(11, 12, COUNTED_SINCE_BOOT, "0");
	assert_cpus(1011, 1012, COUNTED_BETWEEN, "0");
	assert_int_equal(counted_net(&model, 0, 1011 * SECOND, 1012 * SECOND, &growth),
			 COUNTED_BETWEEN);
}

static void serve(const char *dev, const char *list, enum serving_why why, const char *lower)
{
	struct serving serving = { .why = why, .lower = lower ? copy_text(lower) : NULL };

	cpuset_add_list(&serving.cpus, list);
	counted_serving(counted, dev, &serving, SERVING_THEN);
	serving_free(&serving);
}

static void assert_device(const char *dev, const char *wanted, const char *sentence)
{
	struct cpuset cpus = { 0 };
	const char *how;
	char list[64];
	bool all;

	assert_true(counted_device(&model, dev, &cpus, &all, &how));
	cpuset_print(list, sizeof(list), &cpus);
	assert_string_equal(all ? "any" : list, wanted);
	assert_string_equal(how, sentence);
	cpuset_free(&cpus);
}

#define SERVED(dev, when, rps) \
	"These CPUs served " dev when ", as its interrupts" rps " were set then"
#define ANY(dev, why)	"Any CPU may have served " dev ": " why

static void devices(void **state)
{
	const char *how;
	bool all;

	assert_false(counted_device(&model, "eth0", NULL, &all, &how));
	serve("eth1", "2-3", SERVING_INTERRUPTS, NULL);
	serve("eth0", "0", SERVING_STEERED, NULL);
	serve("lo", "", SERVING_NO_INTERRUPTS, "lo");
	serve("bond0", "7", SERVING_THREADS, "eth9");
	assert_device("eth0", "0", SERVED("eth0", "", " and RPS"));
	assert_device("eth1", "2-3", SERVED("eth1", "", ""));
	assert_device("lo", "any", ANY("lo", "lo had no interrupts of its own"));
	assert_device("bond0", "any",
		      ANY("bond0", "eth9 was polled by threads, which may run anywhere"));
	assert_false(counted_device(&model, "eth", NULL, &all, &how));
	/* the same again, then others */
	serve("eth1", "2-3", SERVING_INTERRUPTS, NULL);
	assert_device("eth1", "2-3", SERVED("eth1", "", ""));
	serve("eth1", "70", SERVING_STEERED, NULL);
	assert_device("eth1", "2-3,70", SERVED("eth1", " at one time or another", " and RPS"));
	serve("eth1", "", SERVING_NO_INTERRUPTS, "eth1");
	serve("eth1", "2-3", SERVING_INTERRUPTS, NULL);
	assert_device("eth1", "any", ANY("eth1", "eth1 had no interrupts of its own"));
	/* names that no device has, and CPUs that are none */
	serve("", "1", SERVING_INTERRUPTS, NULL);
	serve("sixteen-letters-", "1", SERVING_INTERRUPTS, NULL);
	assert_int_equal(counted->ndevices, 4);
	serve("eth2", "none", SERVING_INTERRUPTS, NULL);
	assert_false(counted_device(&model, "eth2", NULL, &all, &how));
}

static void many_devices(void **state)
{
	char dev[COUNTED_NAME];

	for (unsigned int i = 0; i < COUNTED_DEVICES + 10; i++) {
		snprintf(dev, sizeof(dev), "d%u", i * 7919 % 65536);
		serve(dev, "1", SERVING_INTERRUPTS, NULL);
	}
	assert_int_equal(counted->ndevices, COUNTED_DEVICES);
	for (size_t i = 1; i < counted->ndevices; i++)
		assert_true(strcmp(counted->devices[i - 1].dev, counted->devices[i].dev) < 0);
}

/* this machine's, twice */
static void of_now(void **state)
{
	struct net_growth growth;
	struct cpuset cpus = { 0 };
	__u64 between_ns;

	counted_now(counted, "");
	assert_int_equal(counted->nsoftnets, 1);
	assert_int_equal(counted->nnets, 1);
	between_ns = counted->nets[0].read.to_ns;
	counted_now(counted, "");
	assert_int_equal(counted_net(&model, 0, between_ns, between_ns, &growth),
			 COUNTED_BETWEEN);
	for (unsigned int i = 0; i < NET_INSERT_FAILED; i++)
		assert_true(growth.values[i].known);
	assert_int_equal(counted_cpus(&model, between_ns, between_ns, &cpus), COUNTED_BETWEEN);
	cpuset_free(&cpus);
	counted_now(counted, "/nowhere");
	assert_int_equal(counted->nsoftnets, 2);
}

static void lists_of_cpus(void **state)
{
	static const char * const lists[][2] = {
		{ "", "" }, { "0", "0" }, { "0-3,8", "0-3,8" }, { "63-64", "63-64" },
		{ "60-130,3", "3,60-130" }, { "65535", "65535" }, { "65536", "" },
		{ "65530-4294967295", "65530-65535" }, { "99999999999999999999", "" },
		{ "5-2", "" }, { "1,x", "1" }, { "1;2", "1" }, { "1-", "" }, { "...", "" },
		{ "64-127", "64-127" }, { "1,1,1", "1" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		struct cpuset set = { 0 };
		char list[64];

		cpuset_add_list(&set, lists[i][0]);
		assert_string_equal(cpuset_print(list, sizeof(list), &set), lists[i][1]);
		cpuset_free(&set);
	}
}

#define test_counted(test)	cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_counted(softnet_texts),
		test_counted(cpus_that_took_packets),
		test_counted(cpus_that_come_and_go),
		test_counted(drops),
		test_counted(namespace_texts),
		test_counted(growth_of_namespaces),
		test_counted(other_clock),
		test_counted(devices),
		test_counted(many_devices),
		test_counted(of_now),
		test_counted(lists_of_cpus),
	};

	return cmocka_run_group_tests_name("counted", tests, NULL, NULL);
}
