// SPDX-License-Identifier: GPL-2.0-only
/* Which CPUs serve a network device, in made-up trees of /sys and /proc. */
#include "fixture.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serving.h"

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
	(void)state;
	strcpy(root, "/tmp/test_serving-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int drop_root(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command);
}

static void assert_serve(const char *dev, const char *cpus, const char *how)
{
	struct serving serving;
	char list[64];

	assert_int_equal(serving_find(&serving, root, dev), EXIT_DONE);
	assert_string_equal(serving.all ? "any" : cpuset_print(list, sizeof(list), &serving.cpus),
			    cpus);
	assert_string_equal(serving.how, how);
	serving_free(&serving);
}

static void msi_interrupts(void **state)
{
	(void)state;
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
	(void)state;
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
	(void)state;
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

	(void)state;
	put("sys/class/net/eth0/device/irq", "1");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_int_equal(serving_find(&serving, root, names[i]), EXIT_FAILED);
}

#define test_serving(test)	cmocka_unit_test_setup_teardown(test, make_root, drop_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_serving(msi_interrupts),
		test_serving(other_buses),
		test_serving(lower_devices),
		test_serving(no_device),
	};

	return cmocka_run_group_tests_name("serving", tests, NULL, NULL);
}
