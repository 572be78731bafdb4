// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stands in for a hypervisor that tells of steal. The host writes into memory that QEMU
 * shares with the guest (ivshmem-plain) how long each virtual CPU's thread could not run, in
 * nanoseconds from its first word on (tests/guest/steal.c). This module adds the growth to
 * the CPU's steal where the kernel would: in its tick, and as it leaves idle after it had none.
 */
#include <linux/io.h>
#include <linux/kernel_stat.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/percpu.h>
#include <linux/smp.h>

/* of an ivshmem device */
#define SHARED_BAR	2

static u64 __iomem *shared;
static DEFINE_PER_CPU(u64, seen);

static int on_tick(struct kprobe *probe, struct pt_regs *regs)
{
	u64 ns = readq(&shared[smp_processor_id()]);

	kcpustat_this_cpu->cpustat[CPUTIME_STEAL] += ns - __this_cpu_read(seen);
	__this_cpu_write(seen, ns);
	return 0;
}

static struct kprobe tick = {
	.symbol_name = "update_process_times",
	.pre_handler = on_tick,
};

static struct kprobe idle_exit = {
	.symbol_name = "account_idle_ticks",
	.pre_handler = on_tick,
};

static bool at_idle_exit;

static int steal_probe(struct pci_dev *dev, const struct pci_device_id *id)
{
	unsigned int cpu;
	int ret = pcim_enable_device(dev);

	if (ret)
		return ret;
	shared = pcim_iomap(dev, SHARED_BAR, 0);
	if (!shared)
		return -ENOMEM;
	if (pci_resource_len(dev, SHARED_BAR) < nr_cpu_ids * sizeof(*shared))
		return -EINVAL;
	for_each_possible_cpu(cpu)
		per_cpu(seen, cpu) = readq(&shared[cpu]);
	ret = register_kprobe(&tick);
	/* without it the first tick after a sleep has what was stolen of the sleep */
	at_idle_exit = !ret && !register_kprobe(&idle_exit);
	return ret;
}

static void steal_remove(struct pci_dev *dev)
{
	if (at_idle_exit)
		unregister_kprobe(&idle_exit);
	unregister_kprobe(&tick);
}

static const struct pci_device_id ids[] = {
	{ PCI_DEVICE(PCI_VENDOR_ID_REDHAT_QUMRANET, 0x1110) },
	{ }
};

static struct pci_driver steal_driver = {
	.name = "harness_steal",
	.id_table = ids,
	.probe = steal_probe,
	.remove = steal_remove,
};

module_pci_driver(steal_driver);

MODULE_DESCRIPTION("Counts steal as a hypervisor would tell it");
MODULE_AUTHOR("The trace_irqoff authors");
MODULE_LICENSE("GPL");
