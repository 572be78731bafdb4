// SPDX-License-Identifier: GPL-2.0-only
/* Messages as the module sends them, and broken ones. */
#include "fixture.h"

#include <netlink/genl/genl.h>

#include "model/labels.h"
#include "source/decode.h"
#include "wire.h"

static struct nl_msg *msg;
static struct model model;

static int begin(void **state)
{
	msg = nlmsg_alloc_size(65536);
	assert_non_null(msg);
	assert_non_null(genlmsg_put(msg, 0, 0, 17, 0, 0, TRACE_IRQOFF_CMD_RECORD_GET, 1));
	return 0;
}

static int end(void **state)
{
	nlmsg_free(msg);
	model_free(&model);
	return 0;
}

/* begins another message */
static void renew(void)
{
	nlmsg_free(msg);
	begin(NULL);
}

static void put_sample(int attr, __u64 at_ns, unsigned int nframes)
{
	struct nlattr *nest = nla_nest_start(msg, attr);
	__u64 frames[128], calls[3] = { 0, 0, AT_SCHEDULE };

	for (unsigned int i = 0; i < nframes; i++)
		frames[i] = AT_SCHEDULE + i;
	nla_put_u64(msg, TRACE_IRQOFF_A_AT_NS, at_ns);
	nla_put_u32(msg, TRACE_IRQOFF_A_PREEMPT_COUNT, 0x101);
	nla_put_u32(msg, TRACE_IRQOFF_A_PENDING, 0x202);
	nla_put_u32(msg, TRACE_IRQOFF_A_FLAGS, TRACE_IRQOFF_F_BH_OFF);
	nla_put_u32(msg, TRACE_IRQOFF_A_PID, 12);
	nla_put_u32(msg, TRACE_IRQOFF_A_TGID, 11);
	nla_put_string(msg, TRACE_IRQOFF_A_COMM, "a\033[31m\xff\xc3\xa4");
	nla_put_u64(msg, TRACE_IRQOFF_A_CGROUP_ID, 1ULL << 40);
	nla_put(msg, TRACE_IRQOFF_A_FRAMES, nframes * sizeof(frames[0]), frames);
	/* of the first frames; more than there are */
	nla_put(msg, TRACE_IRQOFF_A_CALLS, sizeof(calls), calls);
	nla_put_u64(msg, TRACE_IRQOFF_A_STALE, 1ULL << 63);
	nla_nest_end(msg, nest);
}

static void put_record(void)
{
	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, 3);
	nla_put_u8(msg, TRACE_IRQOFF_A_KIND, TRACE_IRQOFF_KIND_SOFT);
	nla_put_u64(msg, TRACE_IRQOFF_A_MIN_NS, 40 * MS);
	nla_put_u64(msg, TRACE_IRQOFF_A_MAX_NS, 41 * MS);
	nla_put_u64(msg, TRACE_IRQOFF_A_END_NS, 1000 * MS);
}

static void record(void **state)
{
	struct tio_record *rec;
	struct entry *entry;

	put_record();
	nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, 1ULL << 33);
	nla_put_u64(msg, TRACE_IRQOFF_A_NESTED_NS, 7);
	nla_put_u64(msg, TRACE_IRQOFF_A_HANDLER_NS, 0);
	nla_put_u32(msg, TRACE_IRQOFF_A_UNSEEN_IRQS, 2);
	nla_put_flag(msg, TRACE_IRQOFF_A_NET_WAITED);
	nla_put_u32(msg, TRACE_IRQOFF_A_NET_PROCESSED, 300);
	nla_put_u32(msg, TRACE_IRQOFF_A_NET_DROPPED, 12);
	nla_put_u32(msg, TRACE_IRQOFF_A_NET_SQUEEZED, 1);
	nla_put_u8(msg, TRACE_IRQOFF_A_END_BY, TRACE_IRQOFF_END_SOFTIRQ_EXIT);
	nla_put_u8(msg, TRACE_IRQOFF_A_HYPERVISOR, 0);
	nla_put_u32(msg, TRACE_IRQOFF_A_SMIS, 0);
	put_sample(TRACE_IRQOFF_A_SAMPLE, 970 * MS, 3);
	put_sample(TRACE_IRQOFF_A_SAMPLE, 980 * MS, 64);
	put_sample(TRACE_IRQOFF_A_END, 1000 * MS, 0);
	wire_name(msg, AT_SCHEDULE, "__schedule+0x0/0x10");
	wire_name(msg, AT_NOTHING, "[unloaded]");
	/* from a newer module */
	nla_put_u32(msg, TRACE_IRQOFF_A_MAX + 7, 1);
	assert_true(decode_record(nlmsg_hdr(msg), &model));

	entry = model.entries[0];
	rec = &entry->rec;
	assert_int_equal(rec->cpu, 3);
	assert_int_equal(rec->seq, 1ULL << 33);
	assert_int_equal(rec->kind, TRACE_IRQOFF_KIND_SOFT);
	assert_int_equal(rec->min_ns, 40 * MS);
	assert_int_equal(rec->max_ns, 41 * MS);
	assert_int_equal(rec->end_ns, 1000 * MS);
	assert_int_equal(rec->nested_ns, 7);
	assert_int_equal(rec->untraced_irqs, 2);
	assert_int_equal(rec->smis, 1);
	assert_int_equal(rec->beneath, TIO_BENEATH_FIRMWARE);
	assert_true(rec->net.waited);
	assert_int_equal(rec->net.processed, 300);
	assert_int_equal(rec->net.dropped, 12);
	assert_int_equal(rec->net.time_squeeze, 1);
	assert_true(rec->handler_known);
	assert_false(rec->open);
	assert_string_equal(end_word(rec), "softirq-exit");
	assert_int_equal(rec->nsamples, 2);
	assert_int_equal(rec->samples[0].nframes, 3);
	assert_int_equal(rec->samples[1].nframes, 64);
	assert_int_equal(rec->samples[1].at_ns, 980 * MS);
	assert_int_equal(rec->samples[1].frames[63], AT_SCHEDULE + 63);
	assert_int_equal(rec->samples[1].calls[2], AT_SCHEDULE);
	assert_int_equal(rec->samples[1].calls[1], 0);
	assert_int_equal(rec->samples[1].calls[63], 0);
	assert_null(rec->end.calls);
	assert_int_equal(rec->samples[1].preempt_count, 0x101);
	assert_int_equal(rec->samples[1].pending, 0x202);
	assert_int_equal(rec->samples[1].flags, TRACE_IRQOFF_F_BH_OFF);
	assert_int_equal(rec->samples[1].pid, 12);
	assert_int_equal(rec->samples[1].tgid, 11);
	assert_int_equal(rec->samples[1].cgroup_id, 1ULL << 40);
	assert_int_equal(entry->rec.samples[1].stale, 1ULL << 63);
	assert_int_equal(rec->end.at_ns, 1000 * MS);
	assert_int_equal(rec->end.nframes, 0);
	assert_int_equal(entry->nnames, 2);
	assert_string_equal(entry->names[1].symbol, "[unloaded]");
	/* a task's name cannot harm a terminal or JSON */
	assert_string_equal(rec->end.comm, "a?[31m?\xc3\xa4");
}

static void put_asked(const char *irq_name)
{
	struct nlattr *nest = nla_nest_start(msg, TRACE_IRQOFF_A_SAMPLE);

	nla_put_u32(msg, TRACE_IRQOFF_A_FLAGS, TRACE_IRQOFF_F_ASKED | TRACE_IRQOFF_F_HARDIRQ);
	nla_put_u64(msg, TRACE_IRQOFF_A_DELAY_NS, 5ULL << 32);
	if (irq_name) {
		nla_put_u32(msg, TRACE_IRQOFF_A_SOFTIRQ, 0);
		nla_put_u64(msg, TRACE_IRQOFF_A_HANDLER_NS, 3ULL << 32);
		nla_put_u32(msg, TRACE_IRQOFF_A_IRQ, 0);
		nla_put_string(msg, TRACE_IRQOFF_A_IRQ_NAME, irq_name);
	}
	nla_nest_end(msg, nest);
}

static void asked_samples(void **state)
{
	struct tio_sample *samples;

	put_record();
	nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, 1);
	put_sample(TRACE_IRQOFF_A_SAMPLE, 970 * MS, 1);
	put_asked(NULL);
	put_asked("tim\033er");
	put_asked("a name that is too long for it");
	assert_true(decode_record(nlmsg_hdr(msg), &model));
	samples = model.entries[0]->rec.samples;
	/* taken by the CPU itself; taken outside of interrupts */
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(samples[i].delay_ns, i ? 5ULL << 32 : 0);
		assert_int_equal(samples[i].handler_ns, 0);
		assert_int_equal(samples[i].irq.number, TIO_NO_IRQ);
		assert_int_equal(samples[i].softirq, 0);
		assert_string_equal(samples[i].irq.name, "");
	}
	/* 0 is a valid interrupt number; drivers choose the names */
	assert_int_equal(samples[2].flags, TRACE_IRQOFF_F_ASKED | TRACE_IRQOFF_F_HARDIRQ);
	assert_int_equal(samples[2].handler_ns, 3ULL << 32);
	assert_int_equal(samples[2].irq.number, 0);
	assert_int_equal(samples[2].softirq, 1);
	assert_string_equal(samples[2].irq.name, "tim?er");
	assert_string_equal(samples[3].irq.name, "a name that is ");
}

static void nmi_handlers(void **state)
{
	struct nlattr *nest;

	put_record();
	nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, 1);
	nla_put_u64(msg, TRACE_IRQOFF_A_NMI_NS, 5ULL << 32);
	nest = nla_nest_start(msg, TRACE_IRQOFF_A_END);
	nla_put_u64(msg, TRACE_IRQOFF_A_NMI_HANDLER, AT_ESTIMATION);
	nla_nest_end(msg, nest);
	assert_true(decode_record(nlmsg_hdr(msg), &model));
	assert_int_equal(model.entries[0]->rec.nmi_ns, 5ULL << 32);
	assert_int_equal(model.entries[0]->rec.nmi_handler, AT_ESTIMATION);
}

/* 0 is known as well */
static void steal(void **state)
{
	for (unsigned int i = 0; i < 3; i++) {
		put_record();
		nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, i);
		if (i)
			nla_put_u64(msg, TRACE_IRQOFF_A_STEAL_NS, (i - 1) * (5ULL << 32));
		assert_true(decode_record(nlmsg_hdr(msg), &model));
		renew();
	}
	assert_int_equal(model.entries[0]->rec.steal, 0);
	assert_int_equal(model.entries[1]->rec.steal, 1);
	assert_int_equal(model.entries[2]->rec.steal, (5ULL << 32) + 1);
}

static void open_stall(void **state)
{
	put_record();
	nla_put_flag(msg, TRACE_IRQOFF_A_OPEN);
	assert_true(decode_record(nlmsg_hdr(msg), &model));
	assert_true(model.entries[0]->rec.open);
	assert_false(model.entries[0]->rec.handler_known);
	assert_int_equal(model.entries[0]->rec.nsamples, 0);
}

static void too_much(void **state)
{
	struct nlattr *nest;
	char comm[40];

	put_record();
	nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, 1);
	for (int i = 0; i < 7; i++)
		put_sample(TRACE_IRQOFF_A_SAMPLE, i, 100);
	/* more than fits */
	memset(comm, 'c', sizeof(comm) - 1);
	comm[sizeof(comm) - 1] = '\0';
	nest = nla_nest_start(msg, TRACE_IRQOFF_A_END);
	nla_put_string(msg, TRACE_IRQOFF_A_COMM, comm);
	nla_put(msg, TRACE_IRQOFF_A_FRAMES, 11, comm);
	nla_nest_end(msg, nest);
	wire_name(msg, 1, comm);
	assert_true(decode_record(nlmsg_hdr(msg), &model));
	assert_int_equal(model.entries[0]->rec.nsamples, TIO_SAMPLES);
	assert_int_equal(model.entries[0]->rec.samples[0].nframes, TIO_FRAMES);
	assert_int_equal(model.entries[0]->rec.end.nframes, 1);
	assert_string_equal(model.entries[0]->rec.end.comm, "ccccccccccccccc");
	assert_int_equal(strlen(model.entries[0]->names[0].symbol), sizeof(comm) - 1);
}

/* attributes of a wrong width or form, anywhere in a record */
static void malformed(void **state)
{
	static const struct {
		int nest;		/* 0: in the record itself */
		int type;
		int len;
	} cases[] = {
		{ 0, TRACE_IRQOFF_A_NESTED_NS, 4 }, { 0, TRACE_IRQOFF_A_UNSEEN_IRQS, 8 },
		{ 0, TRACE_IRQOFF_A_END_BY, 4 },
		{ TRACE_IRQOFF_A_END, TRACE_IRQOFF_A_PID, 3 },
		{ TRACE_IRQOFF_A_END, TRACE_IRQOFF_A_AT_NS, 12 },
		{ TRACE_IRQOFF_A_SAMPLE, TRACE_IRQOFF_A_FLAGS, 0 },
		/* strings without a terminator */
		{ TRACE_IRQOFF_A_SAMPLE, TRACE_IRQOFF_A_COMM, 16 },
		{ TRACE_IRQOFF_A_SAMPLE, TRACE_IRQOFF_A_COMM, 0 },
		{ TRACE_IRQOFF_A_NAME, TRACE_IRQOFF_A_SYMBOL, 8 },
		{ TRACE_IRQOFF_A_NAME, TRACE_IRQOFF_A_ADDR, 4 },
	};
	char bytes[16];

	memset(bytes, 'b', sizeof(bytes));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct nlattr *nest;

		put_record();
		nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, 1);
		nest = NULL;
		if (cases[i].nest)
			nest = nla_nest_start(msg, cases[i].nest);
		nla_put(msg, cases[i].type, cases[i].len, bytes);
		if (nest)
			nla_nest_end(msg, nest);
		if (decode_record(nlmsg_hdr(msg), &model))
			fail_msg("case %zu", i);
		renew();
	}
}

static void too_little(void **state)
{
	assert_false(decode_record(nlmsg_hdr(msg), &model));
	assert_false(decode_config(nlmsg_hdr(msg), &model));
	assert_false(decode_counters(nlmsg_hdr(msg), &model));
	assert_false(decode_histograms(nlmsg_hdr(msg), &model));
	put_record();
	/* no number, and not open */
	assert_false(decode_record(nlmsg_hdr(msg), &model));
	assert_false(decode_histograms(nlmsg_hdr(msg), &model));
	assert_int_equal(model.nentries, 0);
}

/* a list of CPUs that no kernel has */
static void wrong_list(void **state)
{
	static const int lists[] = { TRACE_IRQOFF_A_WATCHED, TRACE_IRQOFF_A_BEHIND };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		nla_put_u32(msg, TRACE_IRQOFF_A_VERSION, 1);
		nla_put_u32(msg, TRACE_IRQOFF_A_THRESHOLD_US, 10000);
		nla_put_u32(msg, TRACE_IRQOFF_A_PERIOD_US, 1000);
		nla_put_u64(msg, TRACE_IRQOFF_A_NOW_NS, 5);
		nla_put_string(msg, lists[i], "4294967295");
		assert_false(decode_config(nlmsg_hdr(msg), &model));
		renew();
	}
}

static void config(void **state)
{
	const struct config *config = &model.config;

	nla_put_u32(msg, TRACE_IRQOFF_A_VERSION, 1);
	nla_put_string(msg, TRACE_IRQOFF_A_MODULE_VERSION, "1.2.3");
	nla_put_u64(msg, TRACE_IRQOFF_A_INSTANCE, 1ULL << 63);
	nla_put_u8(msg, TRACE_IRQOFF_A_ENABLE, 1);
	nla_put_u32(msg, TRACE_IRQOFF_A_THRESHOLD_US, 10000);
	nla_put_u32(msg, TRACE_IRQOFF_A_PERIOD_US, 1000);
	nla_put_string(msg, TRACE_IRQOFF_A_CPUS, "default");
	nla_put_string(msg, TRACE_IRQOFF_A_WATCHED, "");
	nla_put_u64(msg, TRACE_IRQOFF_A_NOW_NS, 5);
	/* decoded twice: the second answer replaces the first */
	assert_true(decode_config(nlmsg_hdr(msg), &model));
	assert_true(decode_config(nlmsg_hdr(msg), &model));
	assert_string_equal(config->module_version, "1.2.3");
	assert_true(config->instance_known);
	assert_int_equal(config->instance, 1ULL << 63);
	assert_string_equal(config->cpus, "default");
	assert_string_equal(config->watched, "");
	assert_true(config->enabled);
	assert_int_equal(config->now_ns, 5);
	assert_int_equal(config->ring_records, 0);
	/* what an older module does not send */
	assert_false(config->control_known);
	assert_false(config->stopped_known);
	for (unsigned int i = TIO_KNOB_NMI; i < TIO_KNOBS; i++)
		assert_false(config->knobs[i].known);
	assert_string_equal(config->behind, "");
}

/* of interface 5; 0 is a value as well */
static void control(void **state)
{
	const struct config *config = &model.config;

	nla_put_u32(msg, TRACE_IRQOFF_A_VERSION, 5);
	nla_put_u32(msg, TRACE_IRQOFF_A_THRESHOLD_US, 10000);
	nla_put_u32(msg, TRACE_IRQOFF_A_PERIOD_US, 1000);
	nla_put_u64(msg, TRACE_IRQOFF_A_NOW_NS, 900);
	nla_put_u64(msg, TRACE_IRQOFF_A_ENABLED_NS, 100);
	nla_put_u64(msg, TRACE_IRQOFF_A_STOPPED_NS, 800);
	nla_put_u8(msg, TRACE_IRQOFF_A_STOPPED_BY, TRACE_IRQOFF_STOP_CLOCK);
	nla_put_u64(msg, TRACE_IRQOFF_A_SELF_STOPS, 1ULL << 40);
	nla_put_u64(msg, TRACE_IRQOFF_A_GENERATION, 1ULL << 41);
	nla_put_string(msg, TRACE_IRQOFF_A_BEHIND, "1,3");
	nla_put_string(msg, TRACE_IRQOFF_A_CPUS, "1,\0333");
	nla_put_flag(msg, TRACE_IRQOFF_A_ATTACHED);
	nla_put_flag(msg, TRACE_IRQOFF_A_DETACHING);
	nla_put_u32(msg, TRACE_IRQOFF_A_RINGS, 1U << 31);
	nla_put_flag(msg, TRACE_IRQOFF_A_FREEING);
	nla_put_u8(msg, TRACE_IRQOFF_A_NMI, TRACE_IRQOFF_NMI_OFF);
	nla_put_u32(msg, TRACE_IRQOFF_A_NMI_CPU_RATE, 9);
	nla_put_u32(msg, TRACE_IRQOFF_A_NMI_RATE, 70000);
	nla_put_u8(msg, TRACE_IRQOFF_A_GUARD, TRACE_IRQOFF_GUARD_NEVER);
	nla_put_u32(msg, TRACE_IRQOFF_A_MAX_COST_PPM, 0);
	assert_true(decode_config(nlmsg_hdr(msg), &model));
	assert_true(decode_config(nlmsg_hdr(msg), &model));
	assert_true(config_stopped(config));
	assert_int_equal(config->enabled_ns, 100);
	assert_int_equal(config->stopped_ns, 800);
	assert_int_equal(config->stopped_by, TRACE_IRQOFF_STOP_CLOCK);
	assert_int_equal(config->self_stops, 1ULL << 40);
	assert_int_equal(config->generation, 1ULL << 41);
	assert_string_equal(config->behind, "1,3");
	assert_string_equal(config->cpus, "1,?3");
	assert_true(config->control_known && config->attached && config->detaching);
	assert_true(config->freeing && config->rings == 1U << 31);
	for (unsigned int i = TIO_KNOB_NMI; i < TIO_KNOBS; i++)
		assert_true(config->knobs[i].known);
	assert_int_equal(config->knobs[TIO_KNOB_NMI].value, TRACE_IRQOFF_NMI_OFF);
	assert_int_equal(config->knobs[TIO_KNOB_NMI_CPU_RATE].value, 9);
	assert_int_equal(config->knobs[TIO_KNOB_NMI_RATE].value, 70000);
	assert_int_equal(config->knobs[TIO_KNOB_GUARD].value, TRACE_IRQOFF_GUARD_NEVER);
	assert_int_equal(config->knobs[TIO_KNOB_MAX_COST_PPM].value, 0);
}

/* of a record that could not be read, CPU and number are all there is */
static void busy_record(void **state)
{
	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, 3);
	nla_put_flag(msg, TRACE_IRQOFF_A_BUSY);
	assert_false(decode_record(nlmsg_hdr(msg), &model));
	nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, 1ULL << 33);
	assert_true(decode_record(nlmsg_hdr(msg), &model));
	assert_int_equal(model.nentries, 0);
	assert_int_equal(model.nbusy, 1);
	assert_int_equal(model.busy[0].cpu, 3);
	assert_int_equal(model.busy[0].seq, 1ULL << 33);
	assert_false(model.busy[0].open);
	/* an open stall has no number */
	renew();
	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, 3);
	nla_put_flag(msg, TRACE_IRQOFF_A_BUSY);
	nla_put_u8(msg, TRACE_IRQOFF_A_KIND, TRACE_IRQOFF_KIND_SOFT);
	nla_put_flag(msg, TRACE_IRQOFF_A_OPEN);
	assert_true(decode_record(nlmsg_hdr(msg), &model));
	assert_int_equal(model.nbusy, 2);
	assert_true(model.busy[1].open);
	model_forget_entries(&model);
	assert_int_equal(model.nbusy, 0);
}

static void counters_and_histograms(void **state)
{
	__u64 buckets[40];

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, 5);
	nla_put_u64(msg, TRACE_IRQOFF_A_PRODUCED, 9);
	nla_put_u64(msg, TRACE_IRQOFF_A_KEPT, 4);
	nla_put_u64(msg, TRACE_IRQOFF_A_LOST, 3);
	nla_put_u64(msg, TRACE_IRQOFF_A_CLEARED, 2);
	assert_true(decode_counters(nlmsg_hdr(msg), &model));
	assert_int_equal(model.counters[0].lost_before, 0);
	assert_false(model.counters[0].cost_known || model.counters[0].nmi_known);
	model_forget_counters(&model);
	nla_put_u32(msg, TRACE_IRQOFF_A_COST_PPM, 0);
	nla_put_u64(msg, TRACE_IRQOFF_A_NMI_REFUSED, 1ULL << 34);
	nla_put_u64(msg, TRACE_IRQOFF_A_NMI_LOST, 6);
	nla_put_u64(msg, TRACE_IRQOFF_A_WATCHED_NS, 1ULL << 35);
	nla_put_u64(msg, TRACE_IRQOFF_A_SETTLED_NS, 1ULL << 36);
	nla_put_u32(msg, TRACE_IRQOFF_A_THRESHOLD_US, 10000);
	nla_put_u32(msg, TRACE_IRQOFF_A_PERIOD_US, 1000);
	nla_put_u32(msg, TRACE_IRQOFF_A_TRACER, 3);
	nla_put_u64(msg, TRACE_IRQOFF_A_LOST_BEFORE, 4);
	/* more buckets than this reader knows */
	for (unsigned int i = 0; i < 40; i++)
		buckets[i] = i;
	for (int attr = TRACE_IRQOFF_A_HARD; attr <= TRACE_IRQOFF_A_SOFT; attr++) {
		struct nlattr *nest = nla_nest_start(msg, attr);

		nla_put(msg, TRACE_IRQOFF_A_BUCKETS, sizeof(buckets), buckets);
		nla_put_u64(msg, TRACE_IRQOFF_A_COUNT, attr);
		nla_nest_end(msg, nest);
	}
	assert_true(decode_counters(nlmsg_hdr(msg), &model));
	assert_true(decode_histograms(nlmsg_hdr(msg), &model));
	assert_int_equal(model.counters[0].cpu, 5);
	assert_true(model.counters[0].watched_ns == 1ULL << 35);
	assert_true(model.counters[0].settled_ns == 1ULL << 36);
	assert_int_equal(model.counters[0].threshold_ns, 10000000);
	assert_int_equal(model.counters[0].period_ns, 1000000);
	assert_false(model.counters[0].watched);
	assert_int_equal(model.counters[0].produced, 9);
	assert_int_equal(model.counters[0].kept, 4);
	assert_true(model.counters[0].tracer_known);
	assert_int_equal(model.counters[0].tracer, 3);
	assert_int_equal(model.counters[0].lost, 3);
	/* no more than were lost */
	assert_int_equal(model.counters[0].lost_before, 3);
	assert_int_equal(model.counters[0].cleared, 2);
	assert_true(model.counters[0].cost_known && model.counters[0].nmi_known);
	assert_int_equal(model.counters[0].nmi_refused, 1ULL << 34);
	assert_int_equal(model.counters[0].nmi_lost, 6);
	assert_int_equal(model.histograms[0].loaded.hard.buckets[TIO_BUCKETS - 1],
			 TIO_BUCKETS - 1);
	assert_int_equal(model.histograms[0].loaded.soft.count, TRACE_IRQOFF_A_SOFT);
	assert_int_equal(model.histograms[0].cleared_ns, 0);
}

static void put_counts(__u64 hard, __u64 soft)
{
	const __u64 counts[] = { hard, soft };

	for (unsigned int i = 0; i < ARRAY_SIZE(counts); i++) {
		struct nlattr *nest = nla_nest_start(msg, TRACE_IRQOFF_A_HARD + i);

		nla_put_u64(msg, TRACE_IRQOFF_A_BUCKETS, counts[i]);
		nla_put_u64(msg, TRACE_IRQOFF_A_COUNT, counts[i]);
		nla_nest_end(msg, nest);
	}
}

/* those since the module was loaded, and those since records were dropped */
static void recent_histograms(void **state)
{
	struct nlattr *nest;

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, 5);
	put_counts(9, 8);
	nla_put_u64(msg, TRACE_IRQOFF_A_CLEARED_NS, 1ULL << 37);
	/* one comes with the other */
	assert_false(decode_histograms(nlmsg_hdr(msg), &model));
	nest = nla_nest_start(msg, TRACE_IRQOFF_A_RECENT);
	put_counts(2, 0);
	nla_nest_end(msg, nest);
	model_forget_histograms(&model);
	assert_true(decode_histograms(nlmsg_hdr(msg), &model));
	assert_int_equal(model.nhistograms, 1);
	assert_int_equal(model.histograms[0].loaded.hard.count, 9);
	assert_int_equal(model.histograms[0].loaded.soft.count, 8);
	assert_true(model.histograms[0].cleared_ns == 1ULL << 37);
	assert_int_equal(model.histograms[0].recent.hard.count, 2);
	assert_int_equal(model.histograms[0].recent.hard.buckets[0], 2);
	assert_int_equal(model.histograms[0].recent.soft.count, 0);
}

static void safe_texts(void **state)
{
	static const char * const cases[][2] = {
		{ "plain", "plain" }, { "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
					"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "a\nb\tc\x7f", "a?b?c?" }, { "cut\xe2\x82", "cut??" }, { "\x80\xbf", "??" },
		/*
		 * C1 controls with CSI; changes of writing direction; a joiner; a tag
		 * character
		 */
		{ "\xc2\x9b[2J", "??[2J" }, { "\xc2\x80\xc2\x9f\xc2\xa1", "????\xc2\xa1" },
		{ "\xe2\x80\xae.txt", "???.txt" }, { "\xe2\x81\xa6\xe2\x81\xa9", "??????" },
		{ "\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c", "????????" },
		{ "\xe2\x80\x90\xe2\x80\xa7", "\xe2\x80\x90\xe2\x80\xa7" },
		{ "\xe2\x80\xa8", "???" }, { "\xf3\xa0\x81\x81", "????" },
		{ "\xe0\x9f\xbf", "???" }, { "\xf0\x8f\xbf\xbf", "????" },
		{ "\xee\x80\x80\xf4\x8f\xbf\xbf", "\xee\x80\x80\xf4\x8f\xbf\xbf" },
		{ "\xc0\x80", "??" }, { "\xed\xa0\x80", "???" }, { "\xf4\x90\x80\x80", "????" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char buf[32];

		strcpy(buf, cases[i][0]);
		assert_string_equal(printable(buf), cases[i][1]);
	}
}

/* a lock, of which any part may be missing, and more than this reader knows */
static void lock(void **state)
{
	static const struct {
		__u64 lock;
		int kind;		/* -1: not sent */
		__s64 cpu;		/* likewise */
		unsigned int wanted;	/* the kind */
	} cases[] = {
		{ 1ULL << 63, TRACE_IRQOFF_LOCK_SPIN, -1, TRACE_IRQOFF_LOCK_SPIN },
		{ 0x1f000, TRACE_IRQOFF_LOCK_WRITE, 3, TRACE_IRQOFF_LOCK_WRITE },
		{ 0x1f000, TRACE_IRQOFF_LOCK_READ, 0, TRACE_IRQOFF_LOCK_READ },
		{ 0x1f000, TRACE_IRQOFF_LOCK_NONE, 3, TRACE_IRQOFF_LOCK_NONE },
		{ 0x1f000, TRACE_IRQOFF_LOCK_WRITE + 1, 3, TRACE_IRQOFF_LOCK_NONE },
		{ 0x1f000, 255, -1, TRACE_IRQOFF_LOCK_NONE },
		{ 0x1f000, -1, 3, TRACE_IRQOFF_LOCK_NONE },
		{ 0, TRACE_IRQOFF_LOCK_SPIN, -1, TRACE_IRQOFF_LOCK_NONE },
		{ 0x1f000, TRACE_IRQOFF_LOCK_SPIN, 0xffffffff, TRACE_IRQOFF_LOCK_NONE },
		{ 0x1f000, TRACE_IRQOFF_LOCK_SPIN, 16384, TRACE_IRQOFF_LOCK_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const bool known = cases[i].wanted != TRACE_IRQOFF_LOCK_NONE;
		const struct tio_sample *sample;
		struct nlattr *nest;

		put_record();
		nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, 7);
		nest = nla_nest_start(msg, TRACE_IRQOFF_A_SAMPLE);
		if (cases[i].lock)
			nla_put_u64(msg, TRACE_IRQOFF_A_LOCK, cases[i].lock);
		if (cases[i].kind >= 0)
			nla_put_u8(msg, TRACE_IRQOFF_A_LOCK_KIND, cases[i].kind);
		if (cases[i].cpu >= 0)
			nla_put_u32(msg, TRACE_IRQOFF_A_LOCK_CPU, cases[i].cpu);
		nla_nest_end(msg, nest);
		assert_true(decode_record(nlmsg_hdr(msg), &model));
		sample = &model.entries[0]->rec.samples[0];
		if (sample->lock_kind != cases[i].wanted)
			fail_msg("case %zu has kind %u", i, sample->lock_kind);
		if (known) {
			assert_int_equal(sample->lock, cases[i].lock);
			assert_int_equal(sample->lock_cpu, cases[i].cpu + 1);
		} else {
			assert_int_equal(sample->lock, 0);
			assert_int_equal(sample->lock_cpu, 0);
		}
		model_free(&model);
		renew();
	}
}

#define test_message(test)	cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_message(record),
		test_message(lock),
		test_message(asked_samples),
		test_message(nmi_handlers),
		test_message(steal),
		test_message(open_stall),
		test_message(too_much),
		test_message(malformed),
		test_message(too_little),
		test_message(wrong_list),
		test_message(config),
		test_message(control),
		test_message(busy_record),
		test_message(counters_and_histograms),
		test_message(recent_histograms),
		cmocka_unit_test(safe_texts),
	};

	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
