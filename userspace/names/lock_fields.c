// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks that were allocated, by the function that takes them. It takes no other spinlock or rwlock
 * itself, but for variables, whose own names come first.
 */
#include <string.h>

#include "base/say.h"
#include "names/lock_name.h"

#define CALLERS	10

/* @seen: the sources in which the functions' locks were looked up; not all have all functions */
static const struct {
	const char *lock;
	const char *callers[CALLERS];
	const char *seen;
} fields[] = {
	{
		"zone->lock",
		{ "rmqueue_bulk", "free_pcppages_bulk", "free_one_page", "rmqueue",
		  "rmqueue_buddy", "reserve_highatomic_pageblock",
		  "unreserve_highatomic_pageblock" },
		"mm/page_alloc.c, 4.19, 5.4, 7.1",
	},
	{
		"lru_lock",
		{ "shrink_inactive_list", "shrink_active_list", "pagevec_lru_move_fn",
		  "folio_lruvec_lock", "folio_lruvec_lock_irq", "folio_lruvec_lock_irqsave" },
		"mm/vmscan.c, mm/swap.c, 4.19, 5.4; vmscan.c, memcontrol.c, 7.1: a lruvec's",
	},
	{
		"sighand->siglock",
		{ "__lock_task_sighand", "lock_task_sighand", "do_sigaction",
		  "__set_current_blocked", "exit_signals", "get_signal", "do_sigtimedwait",
		  "force_sig_info_to_task", "do_group_exit" },
		"kernel/signal.c, kernel/exit.c, 4.19, 5.4, 7.1",
	},
	{
		"ep->lock",
		{ "ep_poll_callback" },
		"fs/eventpoll.c, 4.19 (ep->wq.lock), 5.4, 7.1",
	},
	{
		"wait queue head",
		{ "__wake_up_common_lock", "add_wait_queue", "add_wait_queue_exclusive",
		  "remove_wait_queue", "prepare_to_wait", "prepare_to_wait_exclusive",
		  "prepare_to_wait_event", "finish_wait" },
		"kernel/sched/wait.c, 4.19, 5.4, 7.1",
	},
	{
		"mapping->i_pages",
		{ "__add_to_page_cache_locked", "replace_page_cache_page",
		  "__filemap_add_folio", "replace_page_cache_folio", "tag_pages_for_writeback",
		  "__folio_start_writeback", "__folio_mark_dirty" },
		"mm/filemap.c, mm/page-writeback.c, 4.19, 5.4, 7.1",
	},
	{
		"dentry->d_lock",
		{ "d_alloc", "__d_lookup" },
		"fs/dcache.c, 4.19, 5.4, 7.1",
	},
	{
		"lockref->lock",
		{ "lockref_get", "lockref_get_not_zero", "lockref_put_or_lock",
		  "lockref_get_not_dead" },
		"lib/lockref.c, 4.19, 5.4, 7.1",
	},
	{
		"task->pi_lock",
		{ "try_to_wake_up", "sched_exec" },
		"kernel/sched/core.c, 4.19, 5.4, 7.1; a run queue has a name",
	},
	{
		"inode->i_lock",
		{ "igrab", "find_inode", "find_inode_fast" },
		"fs/inode.c, 4.19, 5.4, 7.1",
	},
	{
		"sk->sk_lock.slock",
		{ "lock_sock_nested", "release_sock", "lock_sock_fast", "__lock_sock_fast",
		  "__lock_sock" },
		"net/core/sock.c, 4.19, 5.4, 7.1",
	},
	{
		"sk_buff_head->lock",
		{ "skb_queue_tail", "skb_queue_head", "skb_dequeue", "skb_dequeue_tail",
		  "skb_unlink" },
		"net/core/skbuff.c, 4.19, 5.4, 7.1",
	},
	{
		"kmem_cache_node->list_lock",
		{ "get_partial_node", "deactivate_slab", "unfreeze_partials", "__slab_free",
		  "get_partial_node_bulk", "__refill_objects_node" },
		"mm/slub.c, 4.19, 5.4, 7.1",
	},
	{
		"irq_desc->lock",
		{ "handle_edge_irq", "handle_level_irq", "handle_fasteoi_irq",
		  "handle_irq_event", "__irq_get_desc_lock" },
		"kernel/irq/chip.c, handle.c and irqdesc.c, 4.19, 5.4, 7.1",
	},
	{
		"worker_pool->lock",
		{ "__queue_work", "worker_thread", "process_one_work" },
		"kernel/workqueue.c, 4.19, 5.4, 7.1",
	},
	{
		"futex hash bucket",
		{ "futex_wake", "futex_q_lock" },
		"kernel/futex.c, 4.19, 5.4; kernel/futex/waitwake.c and core.c, 7.1",
	},
	{
		"list_lru",
		{ "list_lru_add", "list_lru_del" },
		"mm/list_lru.c, 4.19, 5.4: of a node; 7.1: of a node and a cgroup",
	},
};

static const char *field_of(const char *function)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		for (unsigned int k = 0; k < CALLERS && fields[i].callers[k]; k++)
			if (!strcmp(fields[i].callers[k], function))
				return fields[i].lock;
	return NULL;
}

/**
 * lock_field() - the lock that the innermost function that takes one takes
 * @trace: a stack that begins in a lock's slow path
 *
 * Return: it; NULL where that is not known, or the function is a module's.
 */
const char *lock_field(const struct trace *trace)
{
	int i = 0;

	while (i < trace->nsteps && trace->steps[i].function->spinning)
		i++;
	if (i == trace->nsteps || !trace->steps[i].function->core)
		return NULL;
	return field_of(trace->steps[i].function->name);
}
