// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU gets its memory before it is first watched, and keeps it until it is told to
 * give it back. The numbers of its records (struct tio_ring) are kept until the module
 * goes. Readers are in RCU read-side critical sections.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "compat/kvfree_rcu.h"
#include "control/memory.h"
#include "core/ring_memory.h"
#include "state/cpu.h"
#include "state/open_stall.h"
#include "state/ring.h"

/* what is allocated, and not in place yet */
struct held {
	struct tio_slots *slots;
	struct tio_open *open;
	struct tio_ring *ring;
};

static DEFINE_PER_CPU(struct held, held);

/**
 * tio_memory_bytes() - memory of one CPU
 * @records: size of its ring
 *
 * Context: any.
 * Return: bytes.
 */
size_t tio_memory_bytes(u32 records)
{
	/* vmalloc() takes whole pages */
	return PAGE_ALIGN(tio_slots_bytes(records)) + sizeof(struct tio_open);
}

static void drop_held(const struct cpumask *cpus)
{
	unsigned int cpu;

	for_each_cpu(cpu, cpus) {
		struct held *these = per_cpu_ptr(&held, cpu);

		kvfree(these->slots);
		kvfree(these->open);
		kfree(these->ring);
		*these = (struct held) { };
	}
}

static bool hold(unsigned int cpu, u32 records)
{
	const struct tio_cpu *this = per_cpu_ptr(&tio_cpu, cpu);
	struct held *these = per_cpu_ptr(&held, cpu);

	if (rcu_access_pointer(this->open))
		return true;
	these->slots = tio_slots_create(records);
	these->open = tio_open_create(cpu);
	if (!this->ring)
		these->ring = tio_ring_create(cpu);
	return these->slots && these->open && (this->ring || these->ring);
}

static void put_in_place(unsigned int cpu)
{
	struct tio_cpu *this = per_cpu_ptr(&tio_cpu, cpu);
	struct held *these = per_cpu_ptr(&held, cpu);

	if (!these->slots)
		return;
	tio_ring_put(this->ring ?: these->ring, these->slots);
	if (!this->ring)
		/* pairs with tio_cpu_ring() */
		smp_store_release(&this->ring, these->ring);
	/* the last one: a CPU that sees it has all of its memory */
	rcu_assign_pointer(this->open, these->open);
	*these = (struct held) { };
}

/**
 * tio_memory_rings() - how many CPUs have memory
 *
 * Context: any.
 * Return: their number.
 */
unsigned int tio_memory_rings(void)
{
	unsigned int cpu, number = 0;

	for_each_possible_cpu(cpu)
		if (rcu_access_pointer(per_cpu(tio_cpu.open, cpu)))
			number++;
	return number;
}

/**
 * tio_memory_refuse() - refuse rings that would take too much memory
 * @cpus: the CPUs that need one; those that are offline get theirs when they come online
 * @records: size of their rings
 * @rule: set to a static sentence where they are refused; the numbers are logged
 *
 * This is arithmetic, and comes before anything is allocated: a kernel that is asked for
 * too much kills programs first.
 *
 * Context: as for tio_memory_prepare().
 * Return: 0 or -ENOMEM.
 */
int tio_memory_refuse(const struct cpumask *cpus, u32 records, const char **rule)
{
	u64 bytes = tio_memory_bytes(records), wanted, held, available;
	unsigned int cpu, more = 0, there = 0;
	const char *refused;

	for_each_possible_cpu(cpu) {
		if (rcu_access_pointer(per_cpu(tio_cpu.open, cpu)))
			there++;
		else if (cpumask_test_cpu(cpu, cpus) && cpu_online(cpu))
			more++;
	}
	wanted = more * bytes;
	held = there * bytes;
	available = (u64)max(si_mem_available(), 0L) << PAGE_SHIFT;
	refused = tio_ring_memory_rule(wanted, held, available);
	if (!refused)
		return 0;
	pr_err("refused: %u records for each of %u more CPUs take %llu KiB; records have %llu KiB already, and %llu KiB are available\n",
	       records, more, wanted >> 10, held >> 10, available >> 10);
	*rule = refused;
	return -ENOMEM;
}

/**
 * tio_memory_prepare() - allocate what CPUs need before they can be watched
 * @cpus: the CPUs; those that are offline are left out
 * @records: size of their rings
 *
 * Context: task, may sleep; cpus_read_lock, or the hotplug callback of the only CPU.
 * Return: 0; or -ENOMEM, and nothing has changed.
 */
int tio_memory_prepare(const struct cpumask *cpus, u32 records)
{
	unsigned int cpu;

	for_each_cpu_and(cpu, cpus, cpu_online_mask) {
		if (!hold(cpu, records)) {
			drop_held(cpus);
			return -ENOMEM;
		}
	}
	for_each_cpu_and(cpu, cpus, cpu_online_mask)
		put_in_place(cpu);
	return 0;
}

/**
 * tio_memory_free() - give back the memory of all CPUs
 *
 * The records are dropped. Their numbers go on where they were.
 *
 * Context: task; the settings mutex and cpus_read_lock. No CPU is watched.
 */
void tio_memory_free(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct tio_cpu *this = per_cpu_ptr(&tio_cpu, cpu);
		struct tio_open *open = rcu_dereference_protected(this->open, 1);
		struct tio_slots *slots;

		if (!open)
			continue;
		slots = tio_ring_take(this->ring);
		RCU_INIT_POINTER(this->open, NULL);
		kvfree_rcu(open, rcu);
		kvfree_rcu(slots, rcu);
	}
}

/**
 * tio_memory_exit() - free everything
 *
 * Context: module exit. No CPU is watched, no reader is left.
 */
void tio_memory_exit(void)
{
	unsigned int cpu;

	/* at once: what kvfree_rcu() frees is still there when rmmod has returned */
	for_each_possible_cpu(cpu) {
		struct tio_cpu *this = per_cpu_ptr(&tio_cpu, cpu);

		if (this->ring)
			kvfree(tio_ring_take(this->ring));
		kfree(this->ring);
		kvfree(rcu_dereference_protected(this->open, 1));
	}
}
