// SPDX-License-Identifier: GPL-2.0-only
/* The table of kinds, and the result of the last one that was made. */
#include <linux/string.h>

#include "kinds.h"

struct result result;

static const struct kind kinds[] = {
	{ "irqoff", make_irqoff, "stall_irqoff", "net_rx_action_like" },
	{ "irqlock", make_irqlock, "stall_irqlock", "ksoftirqd_like" },
	{ "bhoff", make_bhoff, "stall_bhoff", "timer_softirq_like" },
	{ "irqdeep", make_irqdeep, "stall_irqdeep", NULL },
	{ "bhdeep", make_bhdeep, "stall_bhdeep", NULL },
	{ "irqcold", make_irqcold, "stall_irqcold", NULL },
	{ "irqinline", make_irqinline, "stall_irqinline", NULL },
	{ "irqopen", make_irqopen, "stall_irqopen", NULL },
	{ "irqclose", make_irqclose, "stall_irqclose", NULL },
	{ "bhopen", make_bhopen, "stall_bhopen", NULL },
	{ "irqjump", make_irqjump, "stall_irqjump", NULL },
	{ "irqtail", make_irqtail, "stall_irqtail", NULL },
	{ "irqhand", make_irqhand, "stall_irqhand", NULL },
	{ "bhtail", make_bhtail, "stall_bhtail", NULL },
	{ "bhjump", make_bhjump, "stall_bhjump", NULL },
	{ "irqinner", make_irqinner, "stall_irqinner", NULL },
	{ "bhinner", make_bhinner, "stall_bhinner", NULL },
	{ "irqrelock", make_irqrelock, "stall_irqrelock", NULL },
	{ "bhrelock", make_bhrelock, "stall_bhrelock", NULL },
	{ "irqloop", make_irqloop, "stall_irqloop", NULL },
	{ "bhloop", make_bhloop, "stall_bhloop", NULL },
	{ "indirect", make_indirect, "stall_indirect", NULL },
	{ "copying", make_copying, "stall_copying", NULL },
#ifdef CONFIG_X86
	{ "entering", make_entering, "stall_entering", NULL },
#endif
	{ "irqwork", make_irq_work, "irq_work_func", "irq_work_func" },
	{ "hrtimer", make_hrtimer, "hrtimer_func", "hrtimer_func" },
	{ "tasklet", make_tasklet, "tasklet_func", "tasklet_func" },
	{ "timer", make_timer, "timer_func", "timer_func" },
	{ "idletimer", make_idle_timer, "timer_func", "timer_func" },
	{ "idlehrtimer", make_idle_hrtimer, "hrtimer_func", "hrtimer_func" },
	{ "irqhang", make_irq_hang, "hang_func", NULL },
	{ "idlehang", make_idle_hang, "hang_func", NULL },
	{ "idlewake", make_idle_wake, "stall_irqoff", "net_rx_action_like" },
	{ "idlepoll", make_idle_poll, "stall_irqoff", "net_rx_action_like",
	  idle_poll_prepare },
	{ "idlebefore", make_idle_before, "stall_idling", NULL, idling_prepare },
	{ "idlebehind", make_idle_behind, "stall_idling", NULL, idling_prepare },
	{ "idleloop", make_idle_loop, "stall_idling", NULL, idling_prepare },
	{ "idleirq", make_idle_irq, "stall_idling", NULL, idling_prepare },
	{ "idlecall", make_idle_call, "stall_idlecall", NULL },
	{ "irqipi", make_irqipi, "stall_irqipi", NULL },
	{ "nested", make_nested, "stall_nested", NULL },
	{ "hog", make_hog, "stall_hog", NULL },
	{ "storm", make_storm, "stall_storm", NULL },
	{ "netrx", make_netrx, "stall_netrx", NULL },
	{ "preempt", make_preempt, "stall_preempt", NULL },
	{ "bhleft", make_bhleft, "stall_bhleft", NULL },
	{ "convoy", make_convoy, "stall_lock_waiter", NULL },
	{ "ipiwait", make_ipi_wait, "stall_ipi_waiter", NULL },
	{ "lockspin", make_lockspin, "stall_lockspin", NULL },
	{ "lockread", make_lockread, "stall_lockread", NULL },
	{ "lockwrite", make_lockwrite, "stall_lockwrite", NULL },
	{ "bhheld", make_bhheld, "stall_bhheld", NULL },
	{ "servehog", make_servehog, "stall_servehog", NULL },
	{ "irqall", make_irq_all, "stall_irqall", NULL },
	{ "irqpair", make_irq_pair, "stall_irqspinner", NULL },
	{ "queue", make_queue, "stall_queue_holder", NULL },
	{ "short", make_short, "stall_short", NULL },
};

/* kind_find() - the kind of that name, NULL if there is none */
const struct kind *kind_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(name, kinds[i].name))
			return &kinds[i];
	return NULL;
}

/* kind_make() - make that stall on this CPU, in this task */
void kind_make(const struct request *req)
{
	handlers_forget();
	waits_forget();
	req->kind->make(req);
	waits_end();
}

void kinds_init(void)
{
	waits_init();
	handlers_init();
	hogs_init();
}
