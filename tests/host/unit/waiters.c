// SPDX-License-Identifier: GPL-2.0-only
#include "judge/judge.h"
#include "waiters.h"

struct collection waiters;
struct model * const model = &waiters.model;

int open_waiters(void **state)
{
	(void)state;
	waiters = (struct collection){ 0 };
	waiters.symbols = symbols_of(fixture_kallsyms, fixture_modules);
	model->config = (struct config){
		.enabled = true,
		.watched = copy_text("0-3"),
		.online = copy_text("0-3"),
	};
	for (__u32 cpu = 0; cpu < 4; cpu++)
		*model_add_counters(model) = (struct cpu_counters){ .cpu = cpu, .watched = true };
	return 0;
}

void watch_waiters(const struct watching *watching)
{
	char *list = watching->cpus > 1 ? print_text("0-%u", watching->cpus - 1) : copy_text("0");

	model_forget_entries(model);
	model_forget_counters(model);
	model->config.enabled = true;
	model->config.stopped_known = false;
	model->config.enabled_ns = watching->from_ns;
	model->config.now_ns = watching->to_ns;
	model->config.realtime_ns = watching->boot_ns + watching->to_ns;
	free(model->config.watched);
	free(model->config.online);
	model->config.watched = list;
	model->config.online = copy_text(list);
	for (unsigned int i = 0; i < watching->cpus; i++)
		*model_add_counters(model) = (struct cpu_counters){
			.cpu = i,
			.watched = true,
			.watched_ns = watching->from_ns,
			.settled_ns = watching->from_ns,
			.threshold_ns = watching->threshold_ns,
			.period_ns = MS,
		};
}

int close_waiters(void **state)
{
	(void)state;
	collect_free(&waiters);
	return 0;
}

/* a stall with interrupts off and a culprit, sampled half way */
struct entry *add_holder(__u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns)
{
	struct entry *entry = add_asked(model, cpu, seq, end_ns, min_ns, 0);

	set_stack(&entry->rec.samples[0], AT_MEMORY_STAT + 0x80, AT_SYSCALL + 0x5d, 0ULL);
	return entry;
}

struct entry *add_waiter(__u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns, __u64 in)
{
	struct entry *entry = add_asked(model, cpu, seq, end_ns, min_ns, 0);

	set_stack(&entry->rec.samples[0], in + 0x11, AT_SPIN_LOCK + 0x20, AT_MEMORY_STAT + 0x40,
		  AT_SYSCALL + 0x5d, 0ULL);
	return entry;
}

/* sampled 10 ms after it began */
struct entry *add_soft_waiter(__u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns, __u64 in)
{
	struct entry *entry = add_soft(model, cpu, seq, end_ns, min_ns, TRACE_IRQOFF_F_BH_OFF);

	set_stack(&entry->rec.samples[0], in + 0x11, AT_MEMORY_STAT + 0x40, AT_SYSCALL + 0x5d,
		  0ULL);
	return entry;
}

/* adds a further sample */
void look_again(struct entry *entry, __u64 at_ns, __u64 in)
{
	struct tio_sample *sample = &entry->rec.samples[entry->rec.nsamples++];

	*sample = entry->rec.samples[0];
	sample->at_ns = at_ns;
	set_stack(sample, in + 0x11, AT_MEMORY_STAT + 0x40, 0ULL);
}

/* "" stands for nobody; a question mark marks a probable link */
void assert_waits_for(const struct entry *entry, const char *wanted)
{
	const struct entry *to = entry->found.waits_for;
	char got[32] = "";

	if (to)
		snprintf(got, sizeof(got), "%u:%llu%s", to->rec.cpu, to->rec.seq,
			 entry->found.probable ? "?" : "");
	else
		assert_false(entry->found.probable);
	assert_string_equal(got, wanted);
}

void judge(void)
{
	for (size_t i = 0; i < model->nentries; i++) {
		entry_forget_names(model->entries[i]);
		model->entries[i]->found.waits_for = NULL;
		model->entries[i]->found.probable = false;
	}
	judge_records(waiters.symbols, &waiters.model);
}

/* judges the records as they are now */
void assert_judged(const struct entry *entry, const char *wanted)
{
	judge();
	assert_waits_for(entry, wanted);
}

/* four wait for CPU 0: two for its lock, two for its IPI answer; one waits for a stolen CPU */
void fixture_collect_victims(struct collection *collection)
{
	struct model *model = &collection->model;
	const __u64 lock_ns = NOW_NS - 30000 * MS, ipi_ns = NOW_NS - 20000 * MS;
	struct entry *entry;

	fixture_begin(collection);
	strcpy(model->config.watched, "0-2");
	model->config.online = copy_text("0-2");
	model->counters[2].watched = true;
	entry = add_asked(model, 0, 80, lock_ns, 40 * MS, 0);
	set_stack(&entry->rec.samples[0], AT_MEMORY_STAT + 0x80, AT_SYSCALL + 0x5d, 0ULL);
	for (__u32 cpu = 1; cpu < 3; cpu++) {
		entry = add_asked(model, cpu, 9, lock_ns + cpu * 300000, (39 - cpu) * MS, 0);
		set_stack(&entry->rec.samples[0], AT_SLOWPATH + 0x1b3, AT_SPIN_LOCK + 0x3d,
			  AT_FLUSH_COLD + 0x44, AT_SYSCALL + 0x5d, 0ULL);
	}
	entry = add_asked(model, 0, 81, ipi_ns, 30 * MS, TRACE_IRQOFF_F_HARDIRQ);
	entry->rec.samples[0].handler_ns = 15 * MS;
	set_stack(&entry->rec.samples[0], AT_DELAY_TSC + 0x11, AT_VRING_INTERRUPT + 0x3c,
		  AT_ASM_INTERRUPT + 0x22, 0ULL);
	for (__u32 cpu = 1; cpu < 3; cpu++) {
		entry = add_soft(model, cpu, 10, ipi_ns + cpu * 50000, (29 - cpu) * MS,
				 TRACE_IRQOFF_F_BH_OFF);
		set_stack(&entry->rec.samples[0], (cpu > 1 ? AT_CPU_STOP : AT_CALL_MANY) + 0x22f,
			  AT_FLUSH_COLD + 0x44, AT_SYSCALL + 0x5d, 0ULL);
	}
	entry = add_asked(model, 1, 11, NOW_NS - 10000 * MS, 25 * MS, 0);
	entry->rec.samples[0].delay_ns = 20 * MS;
	entry = add_soft(model, 0, 82, NOW_NS - 10000 * MS, 24 * MS, TRACE_IRQOFF_F_BH_OFF);
	set_stack(&entry->rec.samples[0], AT_CALL_MANY + 0x22f, AT_FLUSH_COLD + 0x44,
		  AT_SYSCALL + 0x5d, 0ULL);

	judge_records(collection->symbols, &collection->model);
}
