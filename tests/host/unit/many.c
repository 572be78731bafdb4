// SPDX-License-Identifier: GPL-2.0-only
/*
 * many SLOTS SEED [NODE [ENDED]]: writes a capture to standard output, with records of all
 * kinds: victims of locks and IPIs, nested stalls, those that nobody is blamed for, and hard
 * ones beside soft ones of the same CPU. Each slot has the records of one of these, 200 ms
 * long. NODE is the node's name, which also makes another boot. ENDED is when the last slot
 * ends, in seconds since 1970.
 */
#include "fixture.h"

#include "wire.h"

#define CPUS	4
#define SLOT	(200 * MS)

static struct collection made;
static __u64 seqs[CPUS];
static unsigned int state;

/* the same numbers on every machine */
static __u64 below(__u64 limit)
{
	state = state * 1103515245 + 12345;
	return (state >> 8) % limit;
}

/* at the wire all of it is counted in nanoseconds */
static __u64 length(__u64 least, __u64 most)
{
	return least * MS + below((most - least) * MS);
}

static struct entry *named(struct entry *entry)
{
	static const char * const comms[] = { "kubelet", "a;b c", "ksoftirqd/1", "1" };

	for (unsigned int i = 0; i < entry->rec.nsamples; i++)
		strcpy(entry->rec.samples[i].comm, comms[below(ARRAY_SIZE(comms))]);
	return entry;
}

static struct entry *hard(__u32 cpu, __u64 end_ns, __u64 min_ns, __u32 flags)
{
	return named(add_asked(&made.model, cpu, seqs[cpu]++, end_ns, min_ns, flags));
}

static struct entry *ended(__u32 cpu, __u64 end_ns, __u64 min_ns)
{
	return add_hard(&made.model, cpu, seqs[cpu]++, end_ns, min_ns);
}

static struct entry *soft(__u32 cpu, __u64 end_ns, __u64 min_ns, __u32 flags)
{
	return named(add_soft(&made.model, cpu, seqs[cpu]++, end_ns, min_ns, flags));
}

static void holder(__u32 cpu, __u64 end_ns, __u64 min_ns)
{
	struct entry *entry = hard(cpu, end_ns, min_ns, 0);

	set_stack(&entry->rec.samples[0], (below(2) ? AT_MEMORY_STAT : AT_MODULE_LOCK) + 0x40,
		  AT_SYSCALL + 0x5d, 0ULL);
}

/* several CPUs wait for a lock of the first one */
static void lock(__u64 end_ns)
{
	holder(0, end_ns, length(50, 90));
	for (__u32 cpu = 1; cpu < CPUS; cpu++) {
		struct entry *entry = hard(cpu, end_ns + below(900000), length(20, 45), 0);

		set_stack(&entry->rec.samples[0], AT_SLOWPATH + 0x1b3, AT_SPIN_LOCK + 0x3d,
			  AT_FLUSH_COLD + 0x44, AT_SYSCALL + 0x5d, 0ULL);
	}
}

/* or for the answer to an IPI, with bottom halves off */
static void ipi(__u64 end_ns)
{
	struct entry *entry = soft(3, end_ns + below(900000), length(20, 45),
				   TRACE_IRQOFF_F_BH_OFF);

	holder(2, end_ns, length(50, 90));
	set_stack(&entry->rec.samples[0], AT_CALL_MANY + 0x22f, AT_FLUSH_COLD + 0x44,
		  AT_SYSCALL + 0x5d, 0ULL);
}

static void stolen(__u64 end_ns)
{
	struct entry *entry = ended(below(CPUS), end_ns, length(12, 60));

	entry->rec.steal = entry->rec.min_ns + 1;
	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + 0x100, 0ULL);
}

/* the end was in user mode */
static void unknown(__u64 end_ns)
{
	struct entry *entry = ended(below(CPUS), end_ns, length(12, 60));

	entry->rec.handler_known = false;
	entry->rec.end.flags = TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_USER;
}

/* a section with interrupts off inside of one with bottom halves off */
static void nested(__u64 end_ns)
{
	__u64 inner_ns = length(12, 30);
	struct entry *entry = ended(1, end_ns - 5 * MS, inner_ns);

	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_FLUSH_COLD + 0x44,
		  AT_SYSCALL + 0x5d, 0ULL);
	entry = soft(1, end_ns, length(60, 100), TRACE_IRQOFF_F_BH_OFF);
	entry->rec.nested_ns = inner_ns;
	set_stack(&entry->rec.samples[0], AT_MEMORY_STAT + 0x40, AT_SYSCALL + 0x5d, 0ULL);
}

/* seen in two functions, the time of which its samples share */
static void timer(__u64 end_ns)
{
	struct entry *entry = soft(2, end_ns, length(40, 90), TRACE_IRQOFF_F_SERVING_SOFTIRQ);
	struct tio_record *rec = &entry->rec;

	rec->samples[0].softirq = 1 + 1;
	rec->samples[1] = rec->samples[0];
	rec->samples[1].at_ns = rec->end_ns - length(5, 25);
	rec->nsamples = 2;
	set_stack(&rec->samples[0], AT_DELAY_TSC + 0x11, AT_ESTIMATION + 0x7c,
		  AT_CALL_TIMER_FN + 0x27, AT_RUN_TIMERS + 0x222, AT_HANDLE_SOFTIRQS + 0xd7, 0ULL);
	set_stack(&rec->samples[1], AT_MEMORY_STAT + 0x11, AT_ESTIMATION + 0x7c,
		  AT_CALL_TIMER_FN + 0x27, AT_RUN_TIMERS + 0x222, AT_HANDLE_SOFTIRQS + 0xd7, 0ULL);
}

/* known by its interrupt alone, while the same CPU cannot run softirqs either */
static void handler(__u64 end_ns)
{
	struct entry *entry = ended(0, end_ns, length(12, 40));

	entry->rec.handler_ns = entry->rec.min_ns - MS;
	entry->rec.handlers = 1;
	entry->rec.end.handler_ns = entry->rec.handler_ns;
	entry->rec.end.irq.number = 24;
	strcpy(entry->rec.end.irq.name, "eth0");
	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + 0x100, 0ULL);
	entry = soft(0, end_ns + 10 * MS, length(60, 100), TRACE_IRQOFF_F_BH_OFF);
	set_stack(&entry->rec.samples[0], AT_FLUSH_COLD + 0x40, AT_SYSCALL + 0x5d, 0ULL);
}

static void open_stall(void)
{
	struct entry *entry = add_soft(&made.model, 1, 0, NOW_NS, length(20, 40),
				       TRACE_IRQOFF_F_BH_OFF);

	entry->rec.open = true;
	entry->net_known = false;
	entry->rec.end = (struct tio_sample){ 0 };
	set_stack(&entry->rec.samples[0], AT_DELAY_TSC + 0x11, AT_SCHEDULE + 0x21, 0ULL);
}

static void add_all(__u64 slots)
{
	static void (* const kinds[])(__u64 end_ns) = {
		lock, ipi, stolen, unknown, nested, timer, handler
	};

	for (__u64 i = 0; i < slots; i++)
		kinds[i % ARRAY_SIZE(kinds)](NOW_NS - (slots - i) * SLOT);
	open_stall();
}

static void set_machine(const char *node)
{
	struct machine *machine = &made.model.machine;

	snprintf(machine->host, sizeof(machine->host), "%s", node);
	snprintf(machine->boot_id, sizeof(machine->boot_id), "boot-of-%.20s", node);
}

int main(int argc, char **argv)
{
	struct config *config = &made.model.config;
	size_t len;
	char *bytes;

	if (argc < 3)
		return misuse("usage: many SLOTS SEED [NODE [ENDED]]");
	state = atoi(argv[2]);
	fixture_begin(&made);
	free(config->watched);
	config->watched = copy_text("0-3");
	config->online = copy_text("0-3");
	if (argc > 3)
		set_machine(argv[3]);
	if (argc > 4)
		config->realtime_ns = atoll(argv[4]) * 1000 * MS;
	add_all(atoll(argv[1]));
	bytes = wire_capture(&made, false, &len);
	fwrite(bytes, 1, len, stdout);
	free(bytes);
	collect_free(&made);
	return fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
}
