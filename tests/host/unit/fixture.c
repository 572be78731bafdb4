// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <unistd.h>

#include "base/say.h"
#include "judge/judge.h"

const char fixture_kallsyms[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81001000 t __schedule\n"
	"ffffffff81002000 T _raw_spin_unlock_irqrestore\n"
	"ffffffff81003000 t delay_tsc\n"
	"ffffffff81004000 T __softirqentry_text_start\n"
	"ffffffff81004000 t handle_softirqs\n"
	"ffffffff81005000 t call_timer_fn\n"
	"ffffffff81006000 t __run_timers.part.0\n"
	"ffffffff81007000 T do_syscall_64\n"
	"ffffffff81008000 t memory_stat_format.constprop.0\n"
	"ffffffff81009000 t cgroup_rstat_flush_locked.isra.0.cold\n"
	"ffffffff8100a000 T vring_interrupt\n"
	"ffffffff8100b000 t __handle_irq_event_percpu\n"
	"ffffffff8100c000 T handle_edge_irq\n"
	"ffffffff8100d000 T common_interrupt\n"
	"ffffffff8100e000 T asm_common_interrupt\n"
	"ffffffff8100f000 T hrtimer_interrupt\n"
	"ffffffff81010000 T sysvec_apic_timer_interrupt\n"
	"ffffffff81011000 T asm_exc_page_fault\n"
	"ffffffff81012000 t native_queued_spin_lock_slowpath.part.0\n"
	"ffffffff81013000 T _raw_spin_lock_irqsave\n"
	"ffffffff81014000 t smp_call_function_many_cond.constprop.0\n"
	"ffffffff81015000 t multi_cpu_stop\n"
	"ffffffff81016000 t __smp_call_function_single\n"
	"ffffffff81017000 T _etext\n"
	"ffffffff81800000 D jiffies\n"
	"ffffffff82000000 T _sinittext\n"
	"ffffffff82000010 T start_kernel\n"
	"ffffffff82001000 T _einittext\n"
	"ffffffff82002000 t exit_of_nothing\n"
	"ffffffffc0100000 t queued_read_lock_slowpath\t[ip_vs]\n"
	"ffffffffc0100100 t estimation_timer\t[ip_vs]\n"
	"ffffffffc0100200 t _raw_spin_lock\t[ip_vs]\n"
	"ffffffffc0300000 t bpf_prog_6deef7357e7b4530\t[bpf]\n"
	"ffffffffc0400000 t whole_beat\t[trace_irqoff]\n"
	"ffffffffc0400100 t probe_sched_switch\t[trace_irqoff]\n";

const char fixture_modules[] =
	"ip_vs 16384 1 - Live 0xffffffffc0100000 (OE)\n"
	"dummy 4096 0 - Live 0xffffffffc0200000\n"
	"trace_irqoff 4096 0 - Live 0xffffffffc0400000\n";

static char *write_file(const char *text)
{
	char path[] = "/tmp/irqoff-test-XXXXXX";
	int fd = mkstemp(path);
	size_t len = strlen(text);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), (ssize_t)len);
	close(fd);
	return copy_text(path);
}

/* NULL stands for a file that opens but cannot be read */
static char *path_of(const char *text)
{
	return text ? write_file(text) : copy_text("/");
}

struct symbols *symbols_of(const char *kallsyms, const char *modules)
{
	char *kallsyms_path = path_of(kallsyms), *modules_path = path_of(modules);
	struct symbols *symbols = symbols_open(kallsyms_path, modules_path);

	unlink(kallsyms_path);
	unlink(modules_path);
	free(kallsyms_path);
	free(modules_path);
	return symbols;
}

/* models are freed, but copies of their samples stay */
static const __u64 *keep_array(const __u64 *array, unsigned int count)
{
	static struct pool *arrays;

	if (!arrays)
		arrays = pool_new();
	return pool_keep(arrays, array, count * sizeof(*array));
}

void set_frames(struct tio_sample *sample, const __u64 *frames, unsigned int nframes)
{
	sample->frames = keep_array(frames, nframes);
	sample->nframes = nframes;
	sample->calls = NULL;
}

void set_stack(struct tio_sample *sample, ...)
{
	__u64 frames[TIO_FRAMES], frame;
	unsigned int nframes = 0;
	va_list args;

	va_start(args, sample);
	while ((frame = va_arg(args, __u64)))
		frames[nframes++] = frame;
	va_end(args);
	set_frames(sample, frames, nframes);
}

/* the call before the return address in a frame calls this directly */
void set_call(struct tio_sample *sample, unsigned int frame, __u64 target)
{
	__u64 calls[TIO_FRAMES] = { 0 };

	if (sample->calls)
		memcpy(calls, sample->calls, sample->nframes * sizeof(*calls));
	calls[frame] = target;
	sample->calls = keep_array(calls, sample->nframes);
}

#define POD		"6ba7b810-9dad-11d1-80b4-00c04fd430c8"
#define CONTAINER	"2f6b6e2b6f9d0c4a8e1b3d5f708192a3b4c5d6e7f8091a2b3c4d5e6f70819203"
#define DOCKERS		"d6701ec289c56e4391acb11d07474b3139466857a305490575508a8b7a9fcf22"

/* cgroups of a pod, of its container, of a container without a pod, of neither */
static const struct cgroup pod = {
	.path = "/kubepods/burstable/pod" POD,
	.text = "/kubepods/burstable/pod" POD,
	.state = CGROUP_FOUND,
	.container = &(struct container){ .pod = POD },
};

static const struct cgroup in_pod = {
	.path = "/kubepods/burstable/pod" POD "/" CONTAINER,
	.text = "/kubepods/burstable/pod" POD "/" CONTAINER,
	.state = CGROUP_FOUND,
	.container = &(struct container){ .pod = POD, .id = CONTAINER },
};

static const struct cgroup in_docker = {
	.path = "/docker/" DOCKERS,
	.text = "/docker/" DOCKERS,
	.state = CGROUP_FOUND,
	.container = &(struct container){ .id = DOCKERS },
};

static const struct cgroup service = {
	.path = "/system.slice/kubelet.service",
	.text = "/system.slice/kubelet.service",
	.state = CGROUP_FOUND,
};

/* a cgroup that was removed, one that the reader may not see */

static const struct cgroup removed = {
	.path = "cgroup:4343",
	.text = "cgroup:4343 (gone)",
	.state = CGROUP_GONE,
};

static const struct cgroup hidden = {
	.path = "cgroup:4444",
	.text = "cgroup:4444",
	.state = CGROUP_UNKNOWN,
};

static void set_cgroup(struct tio_sample *sample, __u64 id, const struct cgroup *cgroup)
{
	sample->cgroup_id = id;
	sample->cgroup = cgroup;
}

static struct entry *add_record(struct model *model, __u32 cpu, __u64 seq, __u64 end_ns,
				__u64 min_ns)
{
	struct entry *entry = model_add_entry(model, TIO_SAMPLES);

	entry->rec.cpu = cpu;
	entry->rec.seq = seq;
	entry->rec.end_ns = end_ns;
	entry->rec.min_ns = min_ns;
	entry->rec.max_ns = min_ns + MS;
	entry->rec.threshold_ns = 10 * MS;
	entry->rec.period_ns = MS;
	entry->net_known = true;
	entry->rec.end.at_ns = end_ns;
	strcpy(entry->rec.end.comm, "kubelet");
	entry->rec.end.pid = 4001;
	entry->rec.end.tgid = 4000;
	return entry;
}

/* a hard stall of class hardirq-off */
struct entry *add_hard(struct model *model, __u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns)
{
	struct entry *entry = add_record(model, cpu, seq, end_ns, min_ns);

	entry->rec.kind = TRACE_IRQOFF_KIND_HARD;
	entry->rec.handler_known = true;
	entry->rec.end.flags = TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_AT_IRQ_ENABLE;
	return entry;
}

/* a hard stall that another CPU sampled half way; @flags is the sampled state */
struct entry *add_asked(struct model *model, __u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns,
			__u32 flags)
{
	struct entry *entry = add_hard(model, cpu, seq, end_ns, min_ns);

	entry->rec.nsamples = 1;
	entry->rec.samples[0] = (struct tio_sample){
		.at_ns = end_ns - min_ns / 2,
		.flags = flags | TRACE_IRQOFF_F_ASKED,
		.delay_ns = 3200,
		.irq.number = TIO_NO_IRQ,
		.pid = 1234,
		.tgid = 1234,
		.comm = "innocent",
	};
	return entry;
}

/* a soft stall with one sample; @flags is the sampled state */
struct entry *add_soft(struct model *model, __u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns,
		       __u32 flags)
{
	struct entry *entry = add_record(model, cpu, seq, end_ns, min_ns);

	entry->rec.kind = TRACE_IRQOFF_KIND_SOFT;
	entry->rec.end_by = TRACE_IRQOFF_END_SOFTIRQ_ENTRY;
	entry->rec.end.flags = TRACE_IRQOFF_F_IRQS_ON;
	entry->rec.nsamples = 1;
	entry->rec.samples[0] = (struct tio_sample){
		.at_ns = end_ns - min_ns + 10 * MS,
		.flags = flags | TRACE_IRQOFF_F_IRQS_ON,
		.pid = 17,
		.tgid = 17,
		.comm = "swapper/1",
	};
	return entry;
}

void judge_all(struct model *model)
{
	for (size_t i = 0; i < model->nentries; i++)
		tio_judge(&model->entries[i]->rec, &model->entries[i]->found.verdict);
}

static void add_config(struct model *model)
{
	model->machine = (struct machine){
		.host = "node-7",
		.boot_id = "7d0f4c1e-58aa-4be3-9d0a-6b1c6f1e2a33",
		.release = "6.1.0-31-amd64",
		.cpus = "0-3",
	};
	model->config = (struct config){
		.version = 5,
		.module_version = "0.1.0",
		.instance_known = true,
		.instance = 0x0badc0ffee123456,
		.enabled = true,
		.threshold_us = 10000,
		.period_us = 1000,
		.ring_records = 64,
		.ring_bytes = 210016,
		.now_ns = NOW_NS,
		.enabled_ns = NOW_NS - 7380000 * MS,
		.realtime_ns = NOW_REALTIME_NS,
		.cpus = copy_text("default"),
		.watched = copy_text("0-1"),
		.knobs = {
			[TIO_KNOB_NMI] = { true, TRACE_IRQOFF_NMI_AUTO },
			[TIO_KNOB_NMI_CPU_RATE] = { true, TIO_NMI_CPU_RATE_DEFAULT },
			[TIO_KNOB_NMI_RATE] = { true, TIO_NMI_RATE_DEFAULT },
			[TIO_KNOB_GUARD] = { true, TRACE_IRQOFF_GUARD_AUTO },
			[TIO_KNOB_MAX_COST_PPM] = { true, TIO_MAX_COST_PPM_DEFAULT },
		},
		.control_known = true,
		.generation = 3,
		.attached = true,
		.behind = copy_text(""),
		.rings = 3,
	};
	*model_add_counters(model) = (struct cpu_counters){
		.cpu = 0, .watched = true, .watched_ns = NOW_NS - 7380000 * MS,
		.beats = 7380000, .produced = 70, .kept = 4, .lost = 6, .cleared = 60,
		.samples = 12, .cost_ns = 123456, .cost_beats = 100,
		.cost_known = true, .cost_ppm = 2345, .nmi_known = true, .tracer_known = true,
	};
	*model_add_counters(model) = (struct cpu_counters){
		.cpu = 1, .watched = true, .watched_ns = NOW_NS - 7379000 * MS,
		.beats = 7379000, .produced = 5, .kept = 5,
		.samples = 3, .cost_ns = 98765, .cost_beats = 100,
		.cost_known = true, .cost_ppm = 1876, .nmi_known = true, .tracer_known = true,
	};
	*model_add_counters(model) = (struct cpu_counters){
		.cpu = 2, .nmi_known = true, .tracer_known = true,
	};
}

static void add_histograms(struct model *model)
{
	for (__u32 cpu = 0; cpu < 2; cpu++) {
		struct cpu_histograms *histograms = model_add_histograms(model);

		histograms->cpu = cpu;
		for (unsigned int i = 0; i < 40; i++)
			tio_histogram_add(&histograms->loaded.hard, 2500000 + i * i * 10000);
		tio_histogram_add(&histograms->loaded.hard, (41 + cpu) * MS);
	}
	tio_histogram_add(&model->histograms[1].loaded.soft, 17 * MS);
}

void fixture_clear(struct model *model)
{
	struct cpu_histograms *first = &model->histograms[0];

	for (size_t i = 0; i < model->nhistograms; i++)
		model->histograms[i].cleared_ns = NOW_NS - 300000 * MS + i;
	for (unsigned int i = 0; i < 3; i++)
		tio_histogram_add(&first->recent.hard, (12 + i) * MS);
	tio_histogram_add(&first->recent.soft, 30 * MS);
}

void fixture_begin(struct collection *collection)
{
	*collection = (struct collection){ 0 };
	collection->symbols = symbols_of(fixture_kallsyms, fixture_modules);
	add_config(&collection->model);
	add_histograms(&collection->model);
}

void fixture_collect(struct collection *collection)
{
	struct model *model = &collection->model;
	const __u64 minute = 60000 * MS;
	struct entry *entry;

	fixture_begin(collection);
	/* a stall that is still open; it comes first here but must sort last */
	entry = add_soft(model, 1, 0, NOW_NS, 31 * MS, TRACE_IRQOFF_F_BH_OFF);
	entry->rec.open = true;
	entry->net_known = false;
	entry->rec.end = (struct tio_sample){ 0 };
	set_stack(&entry->rec.samples[0], AT_DELAY_TSC + 0x11, AT_SCHEDULE + 0x21, 0ULL);

	entry = add_hard(model, 0, 66, NOW_NS - 10 * minute, 24 * MS);
	entry->rec.handler_ns = 51234;
	entry->rec.handlers = 12;
	entry->rec.end.preempt_count = 1;
	set_cgroup(&entry->rec.end, 4242, &in_pod);
	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_FLUSH_COLD + 0x44,
		  AT_MEMORY_STAT + 0x100, AT_SYSCALL + 0x5d, 0ULL);

	/* a hard stall with wide bounds, nested in the soft stall that follows */
	entry = add_hard(model, 0, 67, NOW_NS - 5 * minute, 20 * MS);
	entry->rec.max_ns = 27 * MS;
	set_cgroup(&entry->rec.end, 4343, &removed);
	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + 0x100, 0ULL);
	entry = add_soft(model, 0, 68, NOW_NS - 5 * minute + 3 * MS, 33 * MS,
			 TRACE_IRQOFF_F_BH_OFF);
	entry->rec.nested_ns = 20 * MS;
	entry->rec.samples[0].preempt_count = 0x200;
	set_cgroup(&entry->rec.samples[0], 4545, &in_docker);
	set_stack(&entry->rec.samples[0], AT_MEMORY_STAT + 0x40, AT_SYSCALL + 0x5d, 0ULL);

	/* two samples, the second for the longer part; a module that was loaded again since */
	entry = add_soft(model, 1, 1, NOW_NS - 2 * minute, 45 * MS,
			 TRACE_IRQOFF_F_SERVING_SOFTIRQ);
	entry->rec.samples[1] = entry->rec.samples[0];
	entry->rec.samples[1].at_ns += 10 * MS;
	entry->rec.samples[0].softirq = 1 + 1;
	entry->rec.samples[1].softirq = 1 + 1;
	entry->rec.samples[1].pending = 1U << 1 | 1U << 3 | 1U << 9 | 1U << 20;
	entry->rec.net = (struct tio_softnet){ .processed = 300, .dropped = 12, .time_squeeze = 1,
					       .waited = 1 };
	entry->rec.samples[1].flags |= TRACE_IRQOFF_F_TRUNCATED | 1U << 30;
	entry->rec.nsamples = 2;
	set_cgroup(&entry->rec.samples[0], 4646, &service);
	set_cgroup(&entry->rec.samples[1], 4747, &pod);
	set_stack(&entry->rec.samples[0], AT_CALL_TIMER_FN + 0x27, AT_HANDLE_SOFTIRQS + 0xd7, 0ULL);
	set_stack(&entry->rec.samples[1], AT_ESTIMATION + 0x7c, AT_CALL_TIMER_FN + 0x27,
		  AT_RUN_TIMERS + 0x222, AT_HANDLE_SOFTIRQS + 0xd7, AT_NOTHING, AT_SYSCALL + 0x5d,
		  0ULL);
	set_stack(&entry->rec.end, AT_ESTIMATION + 0x10, AT_HANDLE_SOFTIRQS + 0x200, 0ULL);
	entry->rec.end.stale = 1;

	/* sampled only at its end, in user mode */
	entry = add_hard(model, 0, 69, NOW_NS - minute, 12 * MS);
	entry->rec.handler_known = false;
	entry->rec.untraced_irqs = 2;
	set_cgroup(&entry->rec.end, 4444, &hidden);
	entry->rec.end.flags = TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_USER;

	/* the same section as the one sampled at its end; a handler */
	entry = add_asked(model, 1, 0, NOW_NS - 7 * minute, 15 * MS, 0);
	set_stack(&entry->rec.samples[0], AT_MEMORY_STAT + 0x80, AT_SYSCALL + 0x5d, 0ULL);
	entry = add_asked(model, 1, 2, NOW_NS - 45000 * MS, 28 * MS, TRACE_IRQOFF_F_HARDIRQ);
	set_cgroup(&entry->rec.samples[0], 4646, &service);
	entry->rec.samples[0].handler_ns = 12300000;
	entry->rec.samples[0].irq.number = 24;
	strcpy(entry->rec.samples[0].irq.name, "virtio0-input.0");
	set_stack(&entry->rec.samples[0], AT_DELAY_TSC + 0x11, AT_VRING_INTERRUPT + 0x3c,
		  AT_HANDLE_EVENT + 0x47, AT_HANDLE_EDGE + 0x8b, AT_ASM_INTERRUPT + 0x22,
		  AT_MEMORY_STAT + 0x40, 0ULL);

	/* the CPU did not run: the last sample came when the stall was over */
	entry = add_asked(model, 1, 3, NOW_NS - 15000 * MS, 52 * MS, TRACE_IRQOFF_F_HARDIRQ);
	entry->rec.samples[1] = entry->rec.samples[0];
	entry->rec.samples[0].flags |= TRACE_IRQOFF_F_ASKER_LATE | TRACE_IRQOFF_F_IRQS_ON;
	entry->rec.samples[1].at_ns = entry->rec.end_ns;
	entry->rec.samples[1].delay_ns = 11234567;
	entry->rec.samples[1].handler_ns = 51 * MS;
	strcpy(entry->rec.samples[1].irq.name, "local_timer");
	entry->rec.nsamples = 2;
	set_stack(&entry->rec.samples[1], AT_HRTIMER_INTERRUPT + 0x10, AT_SYSVEC_TIMER + 0x6e,
		  0ULL);

	judge_records(collection->symbols, &collection->model);
}

static struct entry *add_long_handler(struct model *model, __u64 seq, __u64 end_ns, __u64 min_ns)
{
	struct entry *entry = add_hard(model, 0, seq, end_ns, min_ns);

	entry->rec.handler_ns = min_ns - MS;
	entry->rec.handlers = 1;
	entry->rec.end.handler_ns = min_ns - MS;
	entry->rec.end.irq.number = TIO_NO_IRQ;
	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + 0x100, AT_SYSCALL + 0x5d,
		  0ULL);
	return entry;
}

void fixture_collect_ends(struct collection *collection)
{
	struct model *model = &collection->model;
	struct entry *entry;

	fixture_begin(collection);
	/* a device's handler with wide bounds; a handler of the CPU's own interrupt */
	entry = add_long_handler(model, 70, NOW_NS - 50000 * MS, 40 * MS);
	entry->rec.max_ns = 46 * MS;
	entry->rec.end.irq.number = 24;
	strcpy(entry->rec.end.irq.name, "virtio0-input.0");
	entry = add_long_handler(model, 71, NOW_NS - 40000 * MS, 30 * MS);
	strcpy(entry->rec.end.irq.name, "local_timer");

	/* many handlers, mostly of one interrupt; then of several */
	for (__u64 i = 0; i < 2; i++) {
		entry = add_long_handler(model, 72 + i, NOW_NS - (30000 - 40 * i) * MS,
					 (52 - 30 * i) * MS);
		entry->rec.handlers = 4096;
		entry->rec.end.handler_ns = 0;
		strcpy(entry->rec.end.irq.name, i ? "" : "irq_work");
	}

	/* the requester did not run either; handler times are not known */
	entry = add_hard(model, 0, 74, NOW_NS - 20000 * MS, 18 * MS);
	entry->rec.handler_known = false;
	entry->rec.end.flags |= TRACE_IRQOFF_F_ASKER_LATE;
	entry->rec.end.irq.number = TIO_NO_IRQ;
	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + 0x100, 0ULL);

	judge_records(collection->symbols, &collection->model);
}

void fixture_stop(struct model *model, enum trace_irqoff_stop by)
{
	struct config *config = &model->config;

	config->enabled = false;
	config->now_ns = NOW_NS + 300000 * MS;
	config->realtime_ns = NOW_REALTIME_NS + 300000 * MS;
	config->stopped_known = true;
	config->stopped_ns = NOW_NS;
	config->stopped_by = by;
	config->watched[0] = '\0';
	for (size_t i = 0; i < model->ncounters; i++) {
		model->counters[i].watched = false;
		model->counters[i].watched_ns = 0;
	}
	for (size_t i = 0; i < model->nentries; i++) {
		struct tio_record *rec = &model->entries[i]->rec;

		if (!rec->open)
			continue;
		rec->open = 0;
		rec->seq = 4;
		rec->end_by = TRACE_IRQOFF_END_STOP;
	}
}

void fixture_trouble(struct model *model)
{
	struct config *config = &model->config;

	fixture_stop(model, TRACE_IRQOFF_STOP_COST);
	free(config->behind);
	config->behind = copy_text("1,3");
	config->detaching = true;
	config->freeing = true;
	config->self_stops = 2;
	config->knobs[TIO_KNOB_NMI].value = TRACE_IRQOFF_NMI_OFF;
}

void fixture_age(struct model *model)
{
	struct config *config = &model->config;

	config->version = 4;
	memset(config->knobs, 0, sizeof(config->knobs));
	config->control_known = false;
	config->attached = false;
	for (size_t i = 0; i < model->ncounters; i++) {
		model->counters[i].watched_ns = 0;
		model->counters[i].cost_known = false;
		model->counters[i].cost_ppm = 0;
		model->counters[i].nmi_known = false;
		model->counters[i].tracer_known = false;
	}
}

static char *read_golden(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = alloc(1 << 20, 1);

	if (file) {
		assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
		fclose(file);
	}
	return text;
}

/**
 * assert_golden() - compare the printed text with golden/NAME
 * @name: name of the file
 * @stream: from open_memstream(); closed here
 * @text: its text; freed here
 */
void assert_golden(const char *name, FILE *stream, char **text)
{
	char path[128], *wanted;

	fclose(stream);
	snprintf(path, sizeof(path), "golden/%s", name);
	if (getenv("UPDATE")) {
		FILE *file = fopen(path, "w");

		assert_non_null(file);
		fputs(*text, file);
		fclose(file);
	}
	wanted = read_golden(path);
	assert_string_equal(*text, wanted);
	free(wanted);
	free(*text);
}
