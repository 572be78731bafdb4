// SPDX-License-Identifier: GPL-2.0-only
#include "locks.h"

#include "judge/judge.h"

static const char kallsyms[] =
	"0000000000000000 A fixed_percpu_data\n"
	"000000000001f000 A runqueues\n"
	"0000000000020000 A timer_bases\n"
	"0000000000021000 A __per_cpu_end\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81001000 t queued_write_lock_slowpath\n"
	"ffffffff81002000 t native_queued_spin_lock_slowpath\n"
	"ffffffff81003000 T _raw_write_lock_irq\n"
	"ffffffff81004000 T _raw_spin_lock_irqsave\n"
	"ffffffff81005000 t do_exit\n"
	"ffffffff81006000 t copy_process\n"
	"ffffffff81007000 T do_syscall_64\n"
	"ffffffff81008000 t rmqueue_bulk\n"
	"ffffffff81009000 t get_page_from_freelist\n"
	"ffffffff8100a000 t memory_stat_format\n"
	"ffffffff8100b000 t kill_something_info\n"
	"ffffffff8100c000 T __x64_sys_kill\n"
	"ffffffff8100d000 T _raw_write_unlock_irq\n"
	"ffffffff8100e000 T _etext\n"
	"ffffffff82606080 D tasklist_lock\n";

struct symbols *locks_symbols(void)
{
	return symbols_of(kallsyms, fixture_modules);
}

void set_lock(struct tio_sample *sample, enum trace_irqoff_lock kind, __u64 lock)
{
	sample->lock = lock;
	sample->lock_kind = kind;
	sample->lock_cpu = 0;
}

void name_lock(struct entry *entry, __u64 lock, const char *symbol)
{
	entry->names = grow(entry->names, entry->nnames, sizeof(*entry->names));
	entry->names[entry->nnames++] = (struct kernel_name){ lock, symbol };
}

struct entry *add_task_waiter(struct model *model, __u32 cpu, __u64 seq, __u64 end_ns,
			      __u64 min_ns, __u64 in)
{
	struct entry *entry = add_asked(model, cpu, seq, end_ns, min_ns, 0);

	set_stack(&entry->rec.samples[0], AT_WRITE_PATH + 0x35, AT_WRITE_LOCK + 0x1c, in + 0x80,
		  AT_SYSCALL + 0x5d, 0ULL);
	set_lock(&entry->rec.samples[0], TRACE_IRQOFF_LOCK_WRITE, TASKLIST);
	name_lock(entry, TASKLIST, "tasklist_lock+0x0/0x8");
	return entry;
}

void set_meanwhile(struct tio_record *rec, struct tio_sample *sample, __u32 candidates)
{
	set_stack(sample, AT_KILL_INFO + 0x90, AT_SYS_KILL + 0x20, AT_SYSCALL + 0x5d, 0ULL);
	strcpy(sample->comm, "cleaner");
	sample->pid = 4711;
	sample->tgid = 4711;
	sample->preempt_count = 1;
	sample->irq.number = TIO_NO_IRQ;
	rec->meanwhile = (struct tio_meanwhile){
		.cpu = 2 + 1,
		.noted = 3,
		.candidates = candidates,
		.sample = sample,
	};
}

static struct entry *add_spinner(struct model *model, __u32 cpu, __u64 seq, __u64 end_ns,
				 __u64 in, __u64 lock)
{
	struct entry *entry = add_asked(model, cpu, seq, end_ns, 20 * MS, 0);

	set_stack(&entry->rec.samples[0], AT_SPIN_PATH + 0x1b3, AT_SPIN_SAVE + 0x3d, in + 0x44,
		  AT_SYSCALL + 0x5d, 0ULL);
	set_lock(&entry->rec.samples[0], TRACE_IRQOFF_LOCK_SPIN, lock);
	return entry;
}

void fixture_collect_locks(struct collection *collection)
{
	static struct tio_sample meanwhile[2];
	struct model *model = &collection->model;
	const __u64 from_ns = NOW_NS - 60000 * MS;
	struct entry *entry;

	fixture_begin(collection);
	symbols_close(collection->symbols);
	collection->symbols = locks_symbols();
	/* nobody with a stall of its own had it */
	entry = add_task_waiter(model, 0, 20, from_ns, 40 * MS, AT_EXIT);
	set_meanwhile(&entry->rec, &meanwhile[0], 1);
	entry = add_task_waiter(model, 1, 10, from_ns, 38 * MS, AT_EXIT);
	set_meanwhile(&entry->rec, &meanwhile[1], 2);
	add_task_waiter(model, 0, 21, from_ns + 1000 * MS, 30 * MS, AT_COPY_PROCESS);
	/* somebody had it whose stall is known */
	entry = add_asked(model, 0, 22, from_ns + 2000 * MS, 50 * MS, 0);
	set_stack(&entry->rec.samples[0], AT_STAT_FORMAT + 0x80, AT_SYSCALL + 0x5d, 0ULL);
	add_task_waiter(model, 1, 11, from_ns + 2000 * MS, 45 * MS, AT_EXIT);
	/* a field of what was allocated; a run queue; an address alone, and a number for one */
	add_spinner(model, 0, 23, from_ns + 3000 * MS, AT_RMQUEUE_BULK, ALLOCATED);
	entry = add_spinner(model, 0, 24, from_ns + 4000 * MS, AT_COPY_PROCESS, RUNQUEUES);
	entry->rec.samples[0].lock_cpu = 3 + 1;
	entry = add_spinner(model, 0, 25, from_ns + 5000 * MS, AT_FREELIST, ALLOCATED);
	entry->rec.samples[0].lock_kind = TRACE_IRQOFF_LOCK_READ;
	add_spinner(model, 0, 26, from_ns + 6000 * MS, AT_EXIT, OPAQUE);

	judge_records(collection->symbols, model);
}
