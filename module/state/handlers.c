// SPDX-License-Identifier: GPL-2.0-only
#include <linux/interrupt.h>
#include <linux/string.h>

#include "arch/clock.h"
#include "state/handlers.h"

/**
 * tio_irq_describe() - name the interrupt of a handler that runs
 * @irq: filled in
 * @handler: its tio_cpu.irq.handler
 *
 * Context: that handler, or an NMI on top of it.
 */
void tio_irq_describe(struct tio_irq *irq, unsigned long handler)
{
	const struct irqaction *action;
	const char *tracepoint;
	size_t len;

	if (handler & TIO_HANDLER_ACTION) {
		action = (void *)(handler & ~TIO_HANDLER_ACTION);
		irq->number = action->irq;
		strscpy(irq->name, action->name ?: "", sizeof(irq->name));
		return;
	}
	tracepoint = ((const struct tio_vector *)handler)->tracepoint;
	len = strlen(tracepoint) - strlen("_entry");
	irq->number = TIO_NO_IRQ;
	strscpy(irq->name, tracepoint, min(len + 1, sizeof(irq->name)));
}

/* a lower bound of what the candidate took; 0: not known */
static u64 major_cycles(const struct tio_handled *handled)
{
	u64 rest = (u64)handled->not_major << TIO_HANDLED_SHIFT;

	return handled->cycles >> TIO_HANDLED_SHIFT <= U32_MAX &&
	       handled->cycles > rest ? handled->cycles - rest : 0;
}

static void note_longest(struct tio_handled *handled, unsigned long handler,
			 u64 cycles)
{
	/* the noted one stays unless this one is longer, or that one is long past */
	if (cycles < handled->longest &&
	    handled->exit - handled->longest_exit <= handled->longest + cycles)
		return;
	handled->longest = cycles;
	handled->longest_exit = handled->exit;
	tio_irq_describe(&handled->longest_irq, handler);
}

/**
 * tio_handled_note() - name a handler that took long, or most of the time
 * @handled: of this CPU; tio_handled_add() has counted the handler
 * @handler: the handler
 * @cycles: how long it took
 *
 * The name is copied, because the irqaction may be gone later.
 *
 * Context: the end of that handler.
 */
void tio_handled_note(struct tio_handled *handled, unsigned long handler,
		      u64 cycles)
{
	if (cycles >= handled->note_from)
		note_longest(handled, handler, cycles);
	if (handler == handled->major && major_cycles(handled) >= handled->note_from)
		tio_irq_describe(&handled->major_irq, handler);
}

/**
 * tio_handled_sum() - sum up the handlers of a stall that has ended
 * @handled: of this CPU
 * @max_ns: the stall's upper bound; a handler that ended before it does not count
 * @sum: ns, number, longest_ns and irq are filled in
 *
 * Context: interrupts off.
 */
void tio_handled_sum(const struct tio_handled *handled, u64 max_ns,
		     struct tio_handlers *sum)
{
	u64 half = handled->cycles / 2;

	sum->ns = tio_cycles_to_ns(handled->cycles);
	sum->number = handled->number;
	sum->longest_ns = 0;
	sum->irq = NULL;
	if (handled->longest > half && tio_cycles() - handled->longest_exit <=
				       tio_ns_to_cycles(max_ns)) {
		sum->longest_ns = tio_cycles_to_ns(handled->longest);
		sum->irq = &handled->longest_irq;
	} else if (major_cycles(handled) > half &&
		   major_cycles(handled) >= handled->note_from) {
		sum->irq = &handled->major_irq;
	}
}
