// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <fcntl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/say.h"
#include "capture/needed.h"
#include "collect/capture_save.h"
#include "judge/window.h"
#include "wire.h"

#define FAMILY	17

static struct nl_msg *message(int command)
{
	struct nl_msg *msg = or_exit(nlmsg_alloc_size(65536));

	or_exit(genlmsg_put(msg, 0, 0, FAMILY, 0, NLM_F_MULTI, command, 1));
	return msg;
}

static void put_u64_if(struct nl_msg *msg, int attr, __u64 value)
{
	if (value)
		nla_put_u64(msg, attr, value);
}

static void put_flag_if(struct nl_msg *msg, int attr, bool value)
{
	if (value)
		nla_put_flag(msg, attr);
}

static void put_text_if(struct nl_msg *msg, int attr, const char *value)
{
	if (value && *value)
		nla_put_string(msg, attr, value);
}

static void put_lock(struct nl_msg *msg, const struct tio_sample *sample)
{
	if (sample->lock_kind == TRACE_IRQOFF_LOCK_NONE)
		return;
	nla_put_u64(msg, TRACE_IRQOFF_A_LOCK, sample->lock);
	nla_put_u8(msg, TRACE_IRQOFF_A_LOCK_KIND, sample->lock_kind);
	if (sample->lock_cpu)
		nla_put_u32(msg, TRACE_IRQOFF_A_LOCK_CPU, sample->lock_cpu - 1);
}

static void put_process(struct nl_msg *msg, const struct tio_sample *sample)
{
	if (sample->policy)
		nla_put_u32(msg, TRACE_IRQOFF_A_POLICY, sample->policy - 1);
	if (sample->prio)
		nla_put_u32(msg, TRACE_IRQOFF_A_PRIO, sample->prio - 1);
	if (sample->threads)
		nla_put_u32(msg, TRACE_IRQOFF_A_THREADS, sample->threads);
	if (!sample->parent)
		return;
	nla_put_u32(msg, TRACE_IRQOFF_A_PARENT, sample->parent);
	nla_put_string(msg, TRACE_IRQOFF_A_PARENT_COMM, sample->parent_comm);
}

static void put_sample(struct nl_msg *msg, int attr, const struct entry *entry,
		       const struct tio_sample *sample)
{
	struct nlattr *nest = nla_nest_start(msg, attr);

	nla_put_u64(msg, TRACE_IRQOFF_A_AT_NS, sample->at_ns);
	nla_put_u32(msg, TRACE_IRQOFF_A_PREEMPT_COUNT, sample->preempt_count);
	nla_put_u32(msg, TRACE_IRQOFF_A_PENDING, sample->pending);
	nla_put_u32(msg, TRACE_IRQOFF_A_FLAGS, sample->flags);
	nla_put_u32(msg, TRACE_IRQOFF_A_PID, sample->pid);
	nla_put_u32(msg, TRACE_IRQOFF_A_TGID, sample->tgid);
	put_text_if(msg, TRACE_IRQOFF_A_COMM, sample->comm);
	put_u64_if(msg, TRACE_IRQOFF_A_CGROUP_ID, sample->cgroup_id);
	if (sample->nframes)
		nla_put(msg, TRACE_IRQOFF_A_FRAMES, sample->nframes * sizeof(*sample->frames),
			sample->frames);
	if (sample->calls)
		nla_put(msg, TRACE_IRQOFF_A_CALLS, sample->nframes * sizeof(*sample->calls),
			sample->calls);
	put_u64_if(msg, TRACE_IRQOFF_A_STALE, sample->stale);
	if (sample->softirq)
		nla_put_u32(msg, TRACE_IRQOFF_A_SOFTIRQ, sample->softirq - 1);
	put_u64_if(msg, TRACE_IRQOFF_A_DELAY_NS, sample->delay_ns);
	put_u64_if(msg, TRACE_IRQOFF_A_HANDLER_NS, sample->handler_ns);
	if (sample->irq.number != TIO_NO_IRQ)
		nla_put_u32(msg, TRACE_IRQOFF_A_IRQ, sample->irq.number);
	put_text_if(msg, TRACE_IRQOFF_A_IRQ_NAME, sample->irq.name);
	put_lock(msg, sample);
	put_process(msg, sample);
	if (attr == TRACE_IRQOFF_A_MEANWHILE) {
		nla_put_u32(msg, TRACE_IRQOFF_A_CPU, entry->rec.meanwhile.cpu - 1);
		nla_put_u32(msg, TRACE_IRQOFF_A_NOTED, entry->rec.meanwhile.noted);
		nla_put_u32(msg, TRACE_IRQOFF_A_CANDIDATES, entry->rec.meanwhile.candidates);
	}
	if (attr == TRACE_IRQOFF_A_END)
		put_u64_if(msg, TRACE_IRQOFF_A_NMI_HANDLER, entry->rec.nmi_handler);
	nla_nest_end(msg, nest);
}

static void put_net(struct nl_msg *msg, const struct entry *entry)
{
	if (!entry->net_known)
		return;
	put_flag_if(msg, TRACE_IRQOFF_A_NET_WAITED, entry->rec.net.waited);
	nla_put_u32(msg, TRACE_IRQOFF_A_NET_PROCESSED, entry->rec.net.processed);
	nla_put_u32(msg, TRACE_IRQOFF_A_NET_DROPPED, entry->rec.net.dropped);
	nla_put_u32(msg, TRACE_IRQOFF_A_NET_SQUEEZED, entry->rec.net.time_squeeze);
}

void wire_name(struct nl_msg *msg, __u64 addr, const char *symbol)
{
	struct nlattr *nest = nla_nest_start(msg, TRACE_IRQOFF_A_NAME);

	nla_put_u64(msg, TRACE_IRQOFF_A_ADDR, addr);
	nla_put_string(msg, TRACE_IRQOFF_A_SYMBOL, symbol);
	nla_nest_end(msg, nest);
}

struct nl_msg *wire_record(const struct entry *entry)
{
	struct nl_msg *msg = message(TRACE_IRQOFF_CMD_RECORD_GET);
	const struct tio_record *rec = &entry->rec;

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, rec->cpu);
	if (rec->open)
		nla_put_flag(msg, TRACE_IRQOFF_A_OPEN);
	else
		nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, rec->seq);
	nla_put_u8(msg, TRACE_IRQOFF_A_KIND, rec->kind);
	nla_put_u64(msg, TRACE_IRQOFF_A_MIN_NS, rec->min_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_MAX_NS, rec->max_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_END_NS, rec->end_ns);
	put_u64_if(msg, TRACE_IRQOFF_A_NESTED_NS, rec->nested_ns);
	put_u64_if(msg, TRACE_IRQOFF_A_LATE_NS, rec->late_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_THRESHOLD_NS, rec->threshold_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_PERIOD_NS, rec->period_ns);
	nla_put_u8(msg, TRACE_IRQOFF_A_END_BY, rec->end_by);
	if (rec->handler_known) {
		nla_put_u64(msg, TRACE_IRQOFF_A_HANDLER_NS, rec->handler_ns);
		nla_put_u32(msg, TRACE_IRQOFF_A_HANDLERS, rec->handlers);
	}
	nla_put_u32(msg, TRACE_IRQOFF_A_UNSEEN_IRQS, rec->untraced_irqs);
	put_u64_if(msg, TRACE_IRQOFF_A_NMI_NS, rec->nmi_ns);
	if (rec->steal)
		nla_put_u64(msg, TRACE_IRQOFF_A_STEAL_NS, rec->steal - 1);
	if (rec->smis)
		nla_put_u32(msg, TRACE_IRQOFF_A_SMIS, rec->smis - 1);
	if (rec->beneath)
		nla_put_u8(msg, TRACE_IRQOFF_A_HYPERVISOR, rec->beneath - TIO_BENEATH_FIRMWARE);
	put_net(msg, entry);
	for (unsigned int i = 0; i < rec->nsamples; i++)
		put_sample(msg, TRACE_IRQOFF_A_SAMPLE, entry, &rec->samples[i]);
	put_sample(msg, TRACE_IRQOFF_A_END, entry, &rec->end);
	if (rec->meanwhile.sample)
		put_sample(msg, TRACE_IRQOFF_A_MEANWHILE, entry, rec->meanwhile.sample);
	for (size_t i = 0; i < entry->nnames; i++)
		wire_name(msg, entry->names[i].addr, entry->names[i].symbol);
	return msg;
}

static void put_knobs(struct nl_msg *msg, const struct config *config)
{
	for (unsigned int i = TIO_KNOB_NMI; i < TIO_KNOBS; i++) {
		if (!config->knobs[i].known)
			continue;
		if (tio_knobs[i].byte)
			nla_put_u8(msg, tio_knobs[i].attr, config->knobs[i].value);
		else
			nla_put_u32(msg, tio_knobs[i].attr, config->knobs[i].value);
	}
}

static struct nl_msg *config_message(const struct config *config)
{
	struct nl_msg *msg = message(TRACE_IRQOFF_CMD_CONFIG_GET);

	nla_put_u32(msg, TRACE_IRQOFF_A_VERSION, config->version);
	nla_put_string(msg, TRACE_IRQOFF_A_MODULE_VERSION, config->module_version);
	put_text_if(msg, TRACE_IRQOFF_A_NO_LOCKS, config->no_locks);
	nla_put_u8(msg, TRACE_IRQOFF_A_ENABLE, config->enabled);
	nla_put_u32(msg, TRACE_IRQOFF_A_THRESHOLD_US, config->threshold_us);
	nla_put_u32(msg, TRACE_IRQOFF_A_PERIOD_US, config->period_us);
	nla_put_u32(msg, TRACE_IRQOFF_A_RING_RECORDS, config->ring_records);
	nla_put_u32(msg, TRACE_IRQOFF_A_RING_BYTES, config->ring_bytes);
	nla_put_u64(msg, TRACE_IRQOFF_A_NOW_NS, config->now_ns);
	put_u64_if(msg, TRACE_IRQOFF_A_ENABLED_NS, config->enabled_ns);
	nla_put_string(msg, TRACE_IRQOFF_A_CPUS, config->cpus);
	nla_put_string(msg, TRACE_IRQOFF_A_WATCHED, config->watched);
	if (config->instance_known)
		nla_put_u64(msg, TRACE_IRQOFF_A_INSTANCE, config->instance);
	if (config->stopped_known) {
		nla_put_u64(msg, TRACE_IRQOFF_A_STOPPED_NS, config->stopped_ns);
		nla_put_u8(msg, TRACE_IRQOFF_A_STOPPED_BY, config->stopped_by);
	}
	put_knobs(msg, config);
	if (!config->control_known)
		return msg;
	nla_put_u64(msg, TRACE_IRQOFF_A_GENERATION, config->generation);
	nla_put_u64(msg, TRACE_IRQOFF_A_SELF_STOPS, config->self_stops);
	nla_put_string(msg, TRACE_IRQOFF_A_BEHIND, config->behind);
	put_flag_if(msg, TRACE_IRQOFF_A_ATTACHED, config->attached);
	put_flag_if(msg, TRACE_IRQOFF_A_DETACHING, config->detaching);
	nla_put_u32(msg, TRACE_IRQOFF_A_RINGS, config->rings);
	put_flag_if(msg, TRACE_IRQOFF_A_FREEING, config->freeing);
	return msg;
}

static struct nl_msg *counters_message(const struct cpu_counters *cpu)
{
	struct nl_msg *msg = message(TRACE_IRQOFF_CMD_COUNTER_GET);

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, cpu->cpu);
	put_flag_if(msg, TRACE_IRQOFF_A_WATCHED_CPU, cpu->watched);
	if (cpu->watched_ns)
		nla_put_u64(msg, TRACE_IRQOFF_A_WATCHED_NS, cpu->watched_ns);
	if (cpu->settled_ns) {
		nla_put_u64(msg, TRACE_IRQOFF_A_SETTLED_NS, cpu->settled_ns);
		nla_put_u32(msg, TRACE_IRQOFF_A_THRESHOLD_US, cpu->threshold_ns / 1000);
		nla_put_u32(msg, TRACE_IRQOFF_A_PERIOD_US, cpu->period_ns / 1000);
	}
	nla_put_u64(msg, TRACE_IRQOFF_A_BEATS, cpu->beats);
	nla_put_u64(msg, TRACE_IRQOFF_A_PRODUCED, cpu->produced);
	nla_put_u64(msg, TRACE_IRQOFF_A_KEPT, cpu->kept);
	nla_put_u64(msg, TRACE_IRQOFF_A_LOST, cpu->lost);
	nla_put_u64(msg, TRACE_IRQOFF_A_LOST_BEFORE, cpu->lost_before);
	nla_put_u64(msg, TRACE_IRQOFF_A_CLEARED, cpu->cleared);
	nla_put_u64(msg, TRACE_IRQOFF_A_SAMPLES, cpu->samples);
	nla_put_u64(msg, TRACE_IRQOFF_A_COST_NS, cpu->cost_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_COST_BEATS, cpu->cost_beats);
	if (cpu->cost_known)
		nla_put_u32(msg, TRACE_IRQOFF_A_COST_PPM, cpu->cost_ppm);
	if (cpu->tracer_known)
		nla_put_u32(msg, TRACE_IRQOFF_A_TRACER, cpu->tracer);
	if (cpu->nmi_known) {
		nla_put_u64(msg, TRACE_IRQOFF_A_NMI_REFUSED, cpu->nmi_refused);
		nla_put_u64(msg, TRACE_IRQOFF_A_NMI_LOST, cpu->nmi_lost);
	}
	return msg;
}

static void put_histogram(struct nl_msg *msg, int attr, const struct tio_histogram *hist)
{
	struct nlattr *nest = nla_nest_start(msg, attr);

	nla_put(msg, TRACE_IRQOFF_A_BUCKETS, sizeof(hist->buckets), hist->buckets);
	nla_put_u64(msg, TRACE_IRQOFF_A_COUNT, hist->count);
	nla_put_u64(msg, TRACE_IRQOFF_A_SUM_NS, hist->sum_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_LONGEST_NS, hist->max_ns);
	nla_nest_end(msg, nest);
}

static void put_histograms(struct nl_msg *msg, const struct histograms *histograms)
{
	put_histogram(msg, TRACE_IRQOFF_A_HARD, &histograms->hard);
	put_histogram(msg, TRACE_IRQOFF_A_SOFT, &histograms->soft);
}

static struct nl_msg *histograms_message(const struct cpu_histograms *cpu)
{
	struct nl_msg *msg = message(TRACE_IRQOFF_CMD_HISTOGRAM_GET);
	struct nlattr *recent;

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, cpu->cpu);
	put_histograms(msg, &cpu->loaded);
	if (cpu->cleared_ns) {
		nla_put_u64(msg, TRACE_IRQOFF_A_CLEARED_NS, cpu->cleared_ns);
		recent = nla_nest_start(msg, TRACE_IRQOFF_A_RECENT);
		put_histograms(msg, &cpu->recent);
		nla_nest_end(msg, recent);
	}
	return msg;
}

static void keep(struct messages *messages, struct nl_msg *msg)
{
	messages_keep(messages, nlmsg_hdr(msg));
	nlmsg_free(msg);
}

void wire_model(struct messages *messages, const struct model *model)
{
	keep(messages, config_message(&model->config));
	for (size_t i = 0; i < model->ncounters; i++)
		keep(messages, counters_message(&model->counters[i]));
	for (size_t i = 0; i < model->nhistograms; i++)
		keep(messages, histograms_message(&model->histograms[i]));
	for (size_t i = 0; i < model->nentries; i++)
		keep(messages, wire_record(model->entries[i]));
}

/* the reader looks cgroups up; the made-up ones are in the records already */
static void add_cgroups(struct collection *collection)
{
	const struct model *model = &collection->model;

	if (!collection->cgroups)
		collection->cgroups = cgroups_read(NULL);
	for (size_t i = 0; i < model->nentries; i++) {
		const struct tio_record *rec = &model->entries[i]->rec;

		for (unsigned int k = 0; k <= rec->nsamples; k++) {
			const struct tio_sample *sample = k < rec->nsamples ?
				&rec->samples[k] : &rec->end;
			const struct cgroup *cgroup = sample->cgroup;

			if (cgroup)
				cgroups_add(collection->cgroups, sample->cgroup_id,
					    sample->flags & TRACE_IRQOFF_F_CGROUP_V1, cgroup->state,
					    cgroup->state == CGROUP_FOUND ? cgroup->path : NULL);
		}
	}
}

char *wire_capture(struct collection *collection, bool strip, size_t *len)
{
	struct messages messages = { 0 };
	char *bytes = NULL;
	FILE *out = or_exit(open_memstream(&bytes, len));

	wire_model(&messages, &collection->model);
	add_cgroups(collection);
	if (!capture_save(collection, &messages, &(struct netns){ 0 }, strip, out))
		exit(failed("the capture was not written"));
	fclose(out);
	messages_free(&messages);
	return bytes;
}

static size_t count_open(const struct model *model)
{
	size_t count = 0;

	for (size_t i = 0; i < model->nentries; i++)
		count += model->entries[i]->rec.open;
	for (size_t i = 0; i < model->ndropped; i++)
		count += model->dropped[i]->rec.open;
	return count;
}

static void assert_same_received(const struct received *a, const struct received *b)
{
	assert_int_equal(a->cut, b->cut);
	assert_int_equal(a->damaged, b->damaged);
	assert_int_equal(a->no_counters, b->no_counters);
	assert_int_equal(a->no_histograms, b->no_histograms);
	assert_int_equal(a->missing, b->missing);
	assert_int_equal(a->contradictory, b->contradictory);
}

static void assert_same_counts(const struct model *brief, const struct model *whole)
{
	struct window a = window_of(brief, 0, ~0ULL), b = window_of(whole, 0, ~0ULL);

	assert_same_received(&brief->received, &whole->received);
	assert_int_equal(brief->ncounters, whole->ncounters);
	for (size_t i = 0; i < whole->ncounters; i++) {
		assert_int_equal(brief->counters[i].kept, whole->counters[i].kept);
		assert_int_equal(brief->counters[i].lost, whole->counters[i].lost);
	}
	assert_int_equal(brief->nhistograms, whole->nhistograms);
	if (whole->nhistograms)
		assert_memory_equal(brief->histograms, whole->histograms,
				    whole->nhistograms * sizeof(*whole->histograms));
	assert_int_equal(brief->config.now_ns, whole->config.now_ns);
	assert_int_equal(brief->config.realtime_ns, whole->config.realtime_ns);
	assert_int_equal(a.from_ns, b.from_ns);
	assert_int_equal(a.to_ns, b.to_ns);
	assert_int_equal(count_open(brief), count_open(whole));
	assert_int_equal(brief->nentries + brief->ndropped + brief->briefs.count,
			 whole->nentries + whole->ndropped);
}

static void assert_brief_since(const char *path, const struct model *whole, __u64 since_ns)
{
	const struct filter filter = { .since_ns = since_ns, .until_ns = ~0ULL, .narrow = true };
	struct collection brief;

	assert_int_equal(collect_capture(&brief, path, &filter), EXIT_DONE);
	assert_same_counts(&brief.model, whole);
	collect_free(&brief);
}

void wire_assert_brief(const char *bytes, size_t len, const struct model *whole)
{
	int fd = memfd_create("capture", 0), said = dup(STDERR_FILENO);
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char path[32];

	assert_int_equal(write(fd, bytes, len), len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	dup2(nowhere, STDERR_FILENO);
	assert_brief_since(path, whole, ~0ULL);
	/* those before the last 300 ms, as the clock may have been set */
	assert_brief_since(path, whole,
			   whole->config.realtime_ns + 2 * NEEDED_BEFORE_NS - 300 * MS);
	dup2(said, STDERR_FILENO);
	close(said);
	close(nowhere);
	close(fd);
}
