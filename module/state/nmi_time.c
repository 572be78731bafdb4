// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU in an NMI handler takes neither interrupts nor another NMI, so the time looks
 * as if the CPU had not run. The tracepoint nmi:nmi_handler has the length of each
 * handler's run. All of this runs on the CPU that it is about.
 */
#include <linux/kernel.h>
#include <linux/timekeeping.h>

#include "state/cpu.h"
#include "state/nmi_time.h"

/**
 * tio_nmi_time_handled() - an NMI handler of others has returned
 * @handler: it
 * @ns: how long it took
 *
 * Context: NMI.
 * Return: true where the CPU is watched.
 */
bool tio_nmi_time_handled(void *handler, u64 ns)
{
	struct tio_cpu *cpu = this_cpu_ptr(&tio_cpu);
	struct tio_nmi_run run = {
		.handler = (unsigned long)handler,
		.ns = ns,
		.end_ns = ktime_get_mono_fast_ns(),
		.id = tio_stall_id(cpu),
		.on_ns = tio_peek(cpu->stall.hard_on_ns),
		.open = tio_peek(cpu->stall.hard_due_ns),
	};

	if (!tio_is_watched(cpu))
		return false;
	tio_nmi_time_add(&cpu->nmi_time, &run);
	return true;
}

/**
 * tio_nmi_time_fill() - what NMI handlers took of a hard stall
 * @cpu: this CPU
 * @rec: the record of the stall that ended, with its bounds; gets the result
 *
 * Context: interrupts off; an NMI may come in.
 */
void tio_nmi_time_fill(const struct tio_cpu *cpu, struct tio_record *rec)
{
	const struct tio_nmi_time *time = &cpu->nmi_time;
	u64 end_ns, ns, handler;

	do {
		end_ns = READ_ONCE(time->end_ns);
		barrier();
		ns = tio_peek(time->ns);
		handler = tio_peek(time->handler);
		barrier();
	} while (end_ns != READ_ONCE(time->end_ns));

	/* the last one returned before the stall began */
	if (end_ns <= rec->end_ns - rec->max_ns)
		return;
	rec->nmi_ns = min_t(u64, ns, rec->max_ns);
	rec->nmi_handler = handler;
}
