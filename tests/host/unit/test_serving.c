// SPDX-License-Identifier: GPL-2.0-only
/* Which CPUs serve a network device, in made-up trees of /sys and /proc. */
#include "fixture.h"

#include <errno.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/capture_devices.h"
#include "capture/capture_read.h"
#include "model/serving.h"

static char root[64];

/* makes the directories above a path */
static void make_way(const char *path)
{
	char way[512];

	snprintf(way, sizeof(way), "%s", path);
	for (char *slash = strchr(way + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(way, 0700))
			assert_int_equal(errno, EEXIST);
		*slash = '/';
	}
}

static void put(const char *path, const char *text)
{
	char whole[512];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	make_way(whole);
	file = fopen(whole, "w");
	assert_non_null(file);
	fprintf(file, "%s\n", text);
	fclose(file);
}

static void point(const char *path, const char *to)
{
	char whole[512];

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	make_way(whole);
	assert_int_equal(symlink(to, whole), 0);
}

static int make_root(void **state)
{
	strcpy(root, "/tmp/test_serving-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int drop_root(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command);
}

static void assert_serve(const char *dev, const char *cpus, const char *how)
{
	struct serving serving;
	char list[64];

	assert_int_equal(serving_find(&serving, root, dev), EXIT_DONE);
	assert_string_equal(serving_any(serving.why) ? "any" :
			    cpuset_print(list, sizeof(list), &serving.cpus), cpus);
	assert_string_equal(serving.how, how);
	serving_free(&serving);
}

static void msi_interrupts(void **state)
{
	put("sys/class/net/eth0/queues/rx-0/rps_cpus", "00000000,00000000");
	put("sys/class/net/eth0/threaded", "0");
	put("sys/class/net/eth0/device/msi_irqs/37", "msix");
	put("sys/class/net/eth0/device/msi_irqs/38", "msix");
	put("proc/irq/37/effective_affinity_list", "5");
	put("proc/irq/37/smp_affinity_list", "0-7");
	put("proc/irq/38/smp_affinity_list", "1-2");
	assert_serve("eth0", "1-2,5", "These CPUs serve eth0, as its interrupts are set now");
	/* packets are handed on to these, some of them beyond 32 */
	put("sys/class/net/eth0/queues/rx-1/rps_cpus", "00000003,00000010");
	assert_serve("eth0", "1-2,4-5,32-33",
		     "These CPUs serve eth0, as its interrupts and RPS are set now");
	put("sys/class/net/eth0/threaded", "1");
	assert_serve("eth0", "any",
		     "Any CPU may serve eth0: eth0 is polled by threads, which may run anywhere");
}

static void other_buses(void **state)
{
	/* virtio: the interrupts are the PCI device's above it */
	put("sys/devices/pci/virtio2/net/eth0/mtu", "1500");
	put("sys/devices/pci/msi_irqs/40", "msix");
	put("sys/class/net/eth0/mtu", "1500");
	point("sys/class/net/eth0/device", "../../../devices/pci/virtio2");
	put("proc/irq/40/effective_affinity_list", "3");
	assert_serve("eth0", "3", "These CPUs serve eth0, as its interrupts are set now");
	/* one line of interrupt */
	put("sys/class/net/eth1/device/irq", "9");
	put("proc/irq/9/smp_affinity_list", "0-1");
	assert_serve("eth1", "0-1", "These CPUs serve eth1, as its interrupts are set now");
	put("sys/class/net/eth1/device/irq", "0");
	assert_serve("eth1", "any", "Any CPU may serve eth1: eth1 has no interrupts of its own");
}

static void lower_devices(void **state)
{
	put("sys/class/net/eth0/device/msi_irqs/37", "msix");
	put("proc/irq/37/effective_affinity_list", "5");
	put("sys/class/net/eth1/device/msi_irqs/38", "msix");
	put("proc/irq/38/effective_affinity_list", "6");
	point("sys/class/net/bond0/lower_eth0", "../eth0");
	point("sys/class/net/bond0/lower_eth1", "../eth1");
	point("sys/class/net/vlan7/lower_bond0", "../bond0");
	put("sys/class/net/vlan7/queues/rx-0/rps_cpus", "1");
	assert_serve("bond0", "5-6", "These CPUs serve bond0, as its interrupts are set now");
	assert_serve("vlan7", "0,5-6",
		     "These CPUs serve vlan7, as its interrupts and RPS are set now");
	/* one of them alone is enough */
	point("sys/class/net/bond0/lower_veth3", "../veth3");
	put("sys/class/net/veth3/threaded", "0");
	assert_serve("vlan7", "any", "Any CPU may serve vlan7: veth3 has no interrupts of its own");
	/* a circle ends */
	point("sys/class/net/a/lower_b", "../b");
	point("sys/class/net/b/lower_a", "../a");
	assert_serve("a", "any", "Any CPU may serve a: b has too many devices below it");
}

static void no_device(void **state)
{
	static const char * const names[] = { "eth9", "", "..", "eth0/device" };
	struct serving serving;

	put("sys/class/net/eth0/device/irq", "1");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_int_equal(serving_find(&serving, root, names[i]), EXIT_FAILED);
}

/* up, or down; @link: the index of what it lies on, or of its other end */
static void put_device(const char *dev, bool up, unsigned int index, unsigned int link)
{
	char path[128], number[16];

	snprintf(path, sizeof(path), "sys/class/net/%s/flags", dev);
	put(path, up ? "0x1003" : "0x1002");
	snprintf(path, sizeof(path), "sys/class/net/%s/ifindex", dev);
	snprintf(number, sizeof(number), "%u", index);
	put(path, number);
	snprintf(path, sizeof(path), "sys/class/net/%s/iflink", dev);
	snprintf(number, sizeof(number), "%u", link);
	put(path, number);
}

static void put_devices(void)
{
	put_device("lo", true, 1, 1);
	put_device("eth0", true, 2, 2);
	put("sys/class/net/eth0/device/msi_irqs/37", "msix");
	put("proc/irq/37/effective_affinity_list", "5");
	put_device("eth1", false, 3, 3);
	put_device("vlan7", true, 4, 2);
	point("sys/class/net/vlan7/lower_eth0", "../eth0");
	put("sys/class/net/vlan7/queues/rx-0/rps_cpus", "3");
	put_device("br0", true, 5, 5);
	point("sys/class/net/br0/lower_lo", "../lo");
	put_device("veth1234", true, 6, 2);
	put_device("sit0", true, 7, 0);
	put("sys/class/net/bonding_masters", "bond0");
}

static void count(void *context, const char *dev, const struct serving *serving)
{
	size_t *seen = context;

	++*seen;
	assert_true(strcmp(dev, "eth1") && strcmp(dev, "veth1234"));
}

static void each_device(void **state)
{
	size_t seen = 0;

	put_devices();
	serving_each(root, 100, count, &seen);
	assert_int_equal(seen, 5);
	serving_each(root, 2, count, &seen);
	assert_int_equal(seen, 5 + 2);
	serving_each("/nowhere", 100, count, &seen);
	assert_int_equal(seen, 5 + 2);
}

/* a device that an older irqoff does not know, and what is wrong */
static void put_odd(struct capture_writer *writer)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_DEVICES, 4096);
	struct nlattr *nest = nla_nest_start(msg, CAPTURE_A_DEVICE);

	nla_put_string(msg, CAPTURE_A_NAME, "newer");
	nla_put_u8(msg, CAPTURE_A_WHY, SERVING_WHYS);
	nla_put_string(msg, CAPTURE_A_LIST, "1");
	nla_nest_end(msg, nest);
	nest = nla_nest_start(msg, CAPTURE_A_DEVICE);
	nla_put_u8(msg, CAPTURE_A_WHY, SERVING_INTERRUPTS);
	nla_put_string(msg, CAPTURE_A_LIST, "1");
	nla_nest_end(msg, nest);
	nest = nla_nest_start(msg, CAPTURE_A_DEVICE);
	nla_put(msg, CAPTURE_A_NAME, 4, "eth9");
	nla_put_u8(msg, CAPTURE_A_WHY, SERVING_INTERRUPTS);
	nla_nest_end(msg, nest);
	nla_put(msg, CAPTURE_A_DEVICE, 3, "abc");
	nest = nla_nest_start(msg, CAPTURE_A_DEVICE);
	nla_put_string(msg, CAPTURE_A_NAME, "bell\a");
	nla_put_u8(msg, CAPTURE_A_WHY, SERVING_INTERRUPTS);
	nla_put_string(msg, CAPTURE_A_LIST, "3");
	nla_nest_end(msg, nest);
	capture_put_message(writer, msg);
}

static void read_devices(char *bytes, size_t len, struct net_counted *counted)
{
	FILE *file = fmemopen(bytes, len, "r");
	struct capture_reader *reader = capture_reader(file);
	struct nlmsghdr *message;

	while ((message = capture_next(reader)))
		if (genlmsg_hdr(message)->cmd == CAPTURE_CMD_DEVICES)
			capture_take_devices(message, counted);
	capture_reader_close(reader);
	fclose(file);
}

static void assert_captured(const struct model *model, const char *dev, const char *wanted,
			    const char *sentence)
{
	struct cpuset cpus = { 0 };
	const char *how;
	char list[64];
	bool all;

	assert_true(counted_device(model, dev, &cpus, &all, &how));
	cpuset_print(list, sizeof(list), &cpus);
	assert_string_equal(all ? "any" : list, wanted);
	assert_string_equal(how, sentence);
	cpuset_free(&cpus);
}

#define MOVED(dev, rps)	"These CPUs served " #dev " at one time or another, as its interrupts" \
			rps " were set then"

static void in_a_capture(void **state)
{
	struct nl_msg *meta = capture_message(CAPTURE_CMD_META, 256);
	struct capture_writer *writer;
	struct model model = { 0 };
	char *bytes;
	size_t len;
	FILE *file = open_memstream(&bytes, &len);

	put_devices();
	writer = capture_writer(file);
	nla_put_u32(meta, CAPTURE_A_FORMAT, CAPTURE_FORMAT);
	capture_put_message(writer, meta);
	capture_put_devices(writer, root);
	put_odd(writer);
	/* an interrupt moves */
	put("proc/irq/37/effective_affinity_list", "6");
	capture_put_devices(writer, root);
	assert_true(capture_writer_close(writer));
	fclose(file);
	read_devices(bytes, len, &model.counted);
	assert_captured(&model, "eth0", "5-6", MOVED(eth0, ""));
	assert_captured(&model, "vlan7", "0-1,5-6", MOVED(vlan7, " and RPS"));
	assert_captured(&model, "br0", "any",
			"Any CPU may have served br0: lo had no interrupts of its own");
	assert_captured(&model, "lo", "any",
			"Any CPU may have served lo: lo had no interrupts of its own");
	/* these five, and the one whose name cannot be printed */
	assert_int_equal(model.counted.ndevices, 6);
	assert_string_equal(model.counted.devices[0].dev, "bell?");
	model_free(&model);
	free(bytes);
}

#define test_serving(test)	cmocka_unit_test_setup_teardown(test, make_root, drop_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_serving(msi_interrupts),
		test_serving(other_buses),
		test_serving(lower_devices),
		test_serving(no_device),
		test_serving(each_device),
		test_serving(in_a_capture),
	};

	return cmocka_run_group_tests_name("serving", tests, NULL, NULL);
}
