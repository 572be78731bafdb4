// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>

#include "state/published.h"

/* what was in force before anything was published */
static struct tio_published initial = {
	.settings.knobs = TIO_KNOBS_DEFAULT,
};

static struct tio_published __rcu *current_state = RCU_INITIALIZER(&initial);

/* copies of what is in it, for readers without RCU: NMIs and beats */
static u64 generation;
static u32 knobs[TIO_KNOBS] = TIO_KNOBS_DEFAULT;

/**
 * tio_published() - what is in force
 *
 * Context: RCU read-side critical section, in which the answer can be used; or the
 * settings mutex.
 * Return: the state.
 */
const struct tio_published *tio_published(void)
{
	return rcu_dereference_check(current_state, 1);
}

/**
 * tio_published_generation() - the generation in force
 *
 * Context: any.
 * Return: its number. tio_published() called after this has it or a later one.
 */
u64 tio_published_generation(void)
{
	/* pairs with tio_published_replace() */
	return smp_load_acquire(&generation);
}

/**
 * tio_published_knob() - the value of one knob
 * @knob: which one
 *
 * Context: any.
 * Return: the value in force.
 */
u32 tio_published_knob(enum tio_knob knob)
{
	return READ_ONCE(knobs[knob]);
}

static void publish_knobs(const struct tio_published *state)
{
	unsigned int i;

	for (i = 0; i < TIO_KNOBS; i++)
		WRITE_ONCE(knobs[i], state->settings.knobs[i]);
}

/**
 * tio_published_start() - change what is in force before anything is published
 * @state: what to copy
 *
 * Context: the settings mutex; the module loads, and nobody but parameter files reads.
 */
void tio_published_start(const struct tio_published *state)
{
	initial = *state;
	publish_knobs(&initial);
}

/**
 * tio_published_copy() - begin the next state as a copy of the one in force
 *
 * Context: the settings mutex; may sleep.
 * Return: the copy, for tio_published_replace() or tio_published_free(); NULL without
 * memory.
 */
struct tio_published *tio_published_copy(void)
{
	return kmemdup(tio_published(), sizeof(struct tio_published), GFP_KERNEL);
}

/**
 * tio_published_replace() - put a state in force
 * @next: what tio_published_copy() returned, changed; its generation is set here
 *
 * No CPU is told; see tell.c.
 *
 * Context: the settings mutex.
 */
void tio_published_replace(struct tio_published *next)
{
	struct tio_published *last;

	last = rcu_dereference_protected(current_state, 1);
	next->generation = last->generation + 1;
	publish_knobs(next);
	rcu_assign_pointer(current_state, next);
	/* pairs with tio_published_generation() */
	smp_store_release(&generation, next->generation);
	tio_published_free(last);
}

/**
 * tio_published_free() - free a state once no reader has it any more
 * @state: a copy that was not published, or one that was replaced; or NULL
 *
 * Context: any but NMI.
 */
void tio_published_free(struct tio_published *state)
{
	if (state && state != &initial)
		kfree_rcu(state, rcu);
}

/**
 * tio_published_exit() - free the state in force
 *
 * Parameter files are read until after exit. They find the initial state.
 *
 * Context: module exit; nothing is published any more.
 */
void tio_published_exit(void)
{
	struct tio_published *last = rcu_dereference_protected(current_state, 1);

	rcu_assign_pointer(current_state, &initial);
	tio_published_free(last);
}
