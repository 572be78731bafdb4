// SPDX-License-Identifier: GPL-2.0-only
#include "state/counters.h"
#include "state/cpu.h"

/**
 * tio_counters_watched() - is a CPU watched now?
 * @cpu: a possible CPU
 *
 * Context: any.
 * Return: true when it is.
 */
bool tio_counters_watched(unsigned int cpu)
{
	return tio_is_watched(per_cpu_ptr(&tio_cpu, cpu));
}

/**
 * tio_counters_watched_ns() - since when has a CPU been watched without a gap?
 * @cpu: a possible CPU
 *
 * Context: any.
 * Return: the moment; 0: it is not watched.
 */
u64 tio_counters_watched_ns(unsigned int cpu)
{
	return READ_ONCE(per_cpu(tio_cpu.watch.since_ns, cpu));
}

/**
 * tio_counters_settled() - how is a CPU watched, and since when?
 * @cpu: a possible CPU
 * @settled: the period and threshold that the CPU goes by, which may have been replaced
 * meanwhile, and since when it has been watched by them without a gap. Where watching has
 * stopped on all CPUs, how it was watched until then.
 *
 * Context: any.
 * Return: false where the CPU was not watched, or takes up others at this moment.
 */
bool tio_counters_settled(unsigned int cpu, struct tio_settled *settled)
{
	const struct tio_cpu *that = per_cpu_ptr(&tio_cpu, cpu);

	/* this barrier and the second one pair with set_timing() in watch.c */
	settled->since_ns = smp_load_acquire(&that->watch.settled_ns);
	settled->timing.period_ns = READ_ONCE(that->timing.period_ns);
	settled->timing.threshold_ns = READ_ONCE(that->timing.threshold_ns);
	/* the second one */
	smp_rmb();
	return settled->since_ns &&
	       settled->since_ns == READ_ONCE(that->watch.settled_ns);
}

/**
 * tio_counters_read() - copy what a CPU has counted so far
 * @cpu: a possible CPU
 * @copy: filled in; one counter may be a step ahead of another
 *
 * Context: any.
 */
void tio_counters_read(unsigned int cpu, struct tio_counters *copy)
{
	const struct tio_counters *counters = per_cpu_ptr(&tio_cpu.counters, cpu);
	const struct tio_nmi_request *nmi = per_cpu_ptr(&tio_cpu.nmi, cpu);

	copy->beats = tio_peek(counters->beats);
	copy->samples = tio_peek(counters->samples);
	copy->cost_ns = tio_peek(counters->cost_ns);
	copy->cost_beats = tio_peek(counters->cost_beats);
	copy->nmi_refused = READ_ONCE(nmi->refused);
	copy->nmi_lost = READ_ONCE(nmi->lost);
	copy->cost_ppm = tio_peek(counters->cost_ppm);
	tio_peek_histogram(&counters->hard, &copy->hard);
	tio_peek_histogram(&counters->soft, &copy->soft);
}
