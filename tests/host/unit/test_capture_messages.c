// SPDX-License-Identifier: GPL-2.0-only
/* What single messages of a capture tell, and for which records. */
#include "captured.h"

#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "base/clocks.h"
#include "wire.h"

/* a name holds for the records behind it, until another epoch begins */
static void names_of_their_time(void **state)
{
	begin_capture();
	put_function(0, AT_SYSCALL, 0x1000, "first_owner", NULL);
	put_record(1, AT_SYSCALL + 0x10);
	put_function(1, AT_SYSCALL, 0x800, "second_owner", "late");
	put_record(2, AT_SYSCALL + 0x10);
	put_record(3, AT_SYSCALL + 0x900);
	finish_capture();
	assert_string_equal(said, "");
	assert_int_equal(collection.model.nentries, 3);
	assert_string_equal(collection.model.entries[0]->found.culprit, "first_owner");
	assert_string_equal(collection.model.entries[1]->found.culprit, "second_owner [late]");
	assert_string_equal(collection.model.entries[2]->found.culprit, "[unloaded]");
}

static void put_text(const char *path, const char *text, __u64 at_ns, __u64 inode)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_TEXT, 4096);
	size_t half = strlen(text) / 2;

	nla_put_string(msg, CAPTURE_A_PATH, path);
	if (at_ns) {
		nla_put_u64(msg, CAPTURE_A_MONOTONIC_NS, at_ns);
		nla_put_u64(msg, CAPTURE_A_TOOK_NS, MS);
	}
	if (inode)
		nla_put_u64(msg, CAPTURE_A_NETNS_INODE, inode);
	/* in two pieces */
	nla_put(msg, CAPTURE_A_DATA, half, text);
	nla_put(msg, CAPTURE_A_DATA, strlen(text) - half, text + half);
	capture_put_message(writer, msg);
}

/* with the times at which they were read, or, of an older irqoff, soon after the settings */
static void counters_of_the_network(void **state)
{
	static const char tcp[] = "Tcp: RetransSegs\nTcp: %u\n";
	const struct net_counted *counted;
	struct nl_msg *msg;
	char text[64];

	begin_capture();
	snprintf(text, sizeof(text), tcp, 3);
	put_text("/proc/net/snmp", text, 0, 0);
	snprintf(text, sizeof(text), tcp, 12345);
	put_text("/proc/net/snmp", text, NOW_NS + 7000 * MS, 4026531999);
	/* before the settings: by the clock of a time namespace */
	put_text("/proc/net/softnet_stat", "1 2 3 0 0 0 0 0 0 0 0 0 6\n", 5, 0);
	/* foreign ones tell nothing, and are no damage */
	msg = capture_message(CAPTURE_CMD_TEXT, 64);
	nla_put(msg, CAPTURE_A_PATH, 3, "abc");
	capture_put_message(writer, msg);
	capture_put_message(writer, capture_message(CAPTURE_CMD_TEXT, 64));
	put_text("/proc/net/snmp", "", NOW_NS, 0);
	finish_capture();
	assert_string_equal(said, "");
	counted = &collection.model.counted;
	assert_int_equal(counted->nnets, 3);
	assert_int_equal(counted->nets[0].values[NET_RETRANS].value, 3);
	assert_int_equal(counted->nets[0].read.from_ns, NOW_NS);
	assert_int_equal(counted->nets[0].read.to_ns, NOW_NS + 1000 * MS);
	assert_int_equal(counted->nets[1].values[NET_RETRANS].value, 12345);
	assert_int_equal(counted->nets[1].inode, 4026531999);
	assert_int_equal(counted->nets[1].read.from_ns, NOW_NS + 7000 * MS);
	assert_int_equal(counted->nets[1].read.to_ns, NOW_NS + 7001 * MS);
	assert_false(counted->nets[2].values[NET_RETRANS].known);
	assert_int_equal(counted->nsoftnets, 1);
	assert_int_equal(counted->softnets[0].read.from_ns, NOW_NS);
}

/* what capture_save() read of this machine */
static void network_of_this_machine(void **state)
{
	struct cpuset cpus = { 0 };
	struct collection read;
	struct net_growth growth;
	__u64 now_ns;

	free(collection.model.config.online);
	collection.model.config.online = machine_online();
	/* before the files are read, as the module tells it */
	now_ns = clock_monotonic_ns();
	collection.model.config.now_ns = now_ns;
	capture = wire_capture(&collection, false, &capture_len);
	assert_int_equal(collect_bytes(&read, capture, capture_len), EXIT_DONE);
	assert_int_equal(read.model.counted.nsoftnets, 1);
	assert_int_equal(counted_cpus(&read.model, 0, now_ns, &cpus), COUNTED_SINCE_BOOT);
	assert_int_equal(counted_net(&read.model, 0, 0, now_ns, &growth), COUNTED_SINCE_BOOT);
	assert_true(growth.values[NET_RETRANS].known && growth.values[NET_SYN_RETRANS].known);
	assert_in_range(growth.between.to_ns, now_ns, clock_monotonic_ns());
	cpuset_free(&cpus);
	collect_free(&read);
	free(capture);
}

/* what comes later is left out, with a word about it where it may matter */
static void newer_formats(void **state)
{
	struct nl_msg *msg = capture_message(77, 64), *head;
	char *bytes;
	size_t len;

	begin_capture();
	nla_put_string(msg, CAPTURE_A_MAX + 7, "new");
	capture_put_message(writer, msg);
	msg = capture_message(CAPTURE_CMD_CLOCK, 64);
	nlmsg_hdr(msg)->nlmsg_type = CAPTURE_TYPE + 1;
	capture_put_message(writer, msg);
	put_record(1, AT_SYSCALL + 0x10);
	finish_capture();
	assert_string_equal(said, "");
	assert_int_equal(collection.model.nentries, 1);

	bytes = NULL;
	written = open_memstream(&bytes, &len);
	writer = capture_writer(written);
	head = capture_message(CAPTURE_CMD_META, 256);
	nla_put_u32(head, CAPTURE_A_FORMAT, CAPTURE_FORMAT + 1);
	capture_put_message(writer, head);
	assert_true(capture_writer_close(writer));
	fclose(written);
	{
		struct collection read;

		assert_int_equal(collect_bytes(&read, bytes, len), EXIT_FAILED);
		assert_non_null(strstr(said, "cut off before its first records"));
		collect_free(&read);
	}
	free(bytes);
}

/* what a writer begins with that goes on with a file */
static void go_on(int attr, const char *cpus)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_META, 256);

	nla_put_u32(msg, CAPTURE_A_FORMAT, CAPTURE_FORMAT);
	nla_put_string(msg, CAPTURE_A_BOOT_ID, collection.model.machine.boot_id);
	nla_put_u64(msg, CAPTURE_A_INSTANCE, collection.model.config.instance);
	nla_put_string(msg, attr, cpus);
	capture_put_message(writer, msg);
}

/* somebody went on writing: names are others, and a record counts once */
static void same_load_again(void **state)
{
	begin_capture();
	put_function(0, AT_SYSCALL, 0x1000, "first_owner", NULL);
	put_record(1, AT_SYSCALL + 0x10);
	put_record(2, AT_SYSCALL + 0x10);
	go_on(CAPTURE_A_ONLINE, "0-6");
	put_function(0, AT_SYSCALL, 0x800, "second_owner", "late");
	/* read again, as it was told by then */
	put_record(2, AT_SYSCALL + 0x10);
	put_record(3, AT_SYSCALL + 0x10);
	finish_capture();
	assert_string_equal(said, "");
	assert_int_equal(collection.model.nentries, 3);
	assert_string_equal(collection.model.entries[0]->found.culprit, "first_owner");
	assert_string_equal(collection.model.entries[1]->found.culprit, "second_owner [late]");
	assert_string_equal(collection.model.entries[2]->found.culprit, "second_owner [late]");
	assert_string_equal(collection.model.config.online, "0-6");
}

/* CPUs that no kernel lists are damage, whatever follows */
static void lists_wrong_cpus(int attr)
{
	begin_capture();
	put_record(1, AT_SYSCALL + 0x10);
	go_on(attr, "4294967295");
	finish_capture();
	assert_non_null(strstr(said, "FILE is damaged from byte "));
}

static void wrong_possible(void **state)
{
	lists_wrong_cpus(CAPTURE_A_POSSIBLE);
}

static void wrong_online(void **state)
{
	lists_wrong_cpus(CAPTURE_A_ONLINE);
}

/* another boot in the same file is not mixed with this one */
static void two_loads(void **state)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_META, 256);

	begin_capture();
	put_record(1, AT_SYSCALL + 0x10);
	nla_put_u32(msg, CAPTURE_A_FORMAT, CAPTURE_FORMAT);
	nla_put_string(msg, CAPTURE_A_BOOT_ID, "another");
	capture_put_message(writer, msg);
	put_record(2, AT_SYSCALL + 0x10);
	finish_capture();
	assert_non_null(strstr(said, "FILE goes on with another boot, or another load of"));
	assert_int_equal(collection.model.nentries, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_collection(names_of_their_time),
		test_collection(newer_formats),
		test_collection(counters_of_the_network),
		test_collection(network_of_this_machine),
		test_collection(same_load_again),
		test_collection(wrong_possible),
		test_collection(wrong_online),
		test_collection(two_loads),
	};

	return cmocka_run_group_tests_name("messages of captures", tests, NULL, NULL);
}
