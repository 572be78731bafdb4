// SPDX-License-Identifier: GPL-2.0-only
#include <assert.h>

#include "source/observers.h"

/**
 * observers_add() - one more, who is told behind those that are there
 * @observers: OBSERVERS_MOST at most
 * @calls: its functions
 * @context: what they get
 */
void observers_add(struct observers *observers, const struct observer_calls *calls,
		   void *context)
{
	assert(observers->count < OBSERVERS_MOST);
	observers->all[observers->count].calls = calls;
	observers->all[observers->count++].context = context;
}

void observers_before(const struct observers *observers)
{
	for (size_t i = 0; i < observers->count; i++) {
		const struct observer_calls *calls = observers->all[i].calls;

		if (calls->before)
			calls->before(observers->all[i].context);
	}
}

void observers_lost(const struct observers *observers, __u32 cpu, __u64 count)
{
	for (size_t i = 0; i < observers->count; i++) {
		const struct observer_calls *calls = observers->all[i].calls;

		if (calls->lost)
			calls->lost(observers->all[i].context, cpu, count);
	}
}

void observers_instance(const struct observers *observers, const struct config *config)
{
	for (size_t i = 0; i < observers->count; i++) {
		const struct observer_calls *calls = observers->all[i].calls;

		if (calls->instance)
			calls->instance(observers->all[i].context, config);
	}
}

void observers_settings(const struct observers *observers, const struct config *config)
{
	for (size_t i = 0; i < observers->count; i++) {
		const struct observer_calls *calls = observers->all[i].calls;

		if (calls->settings)
			calls->settings(observers->all[i].context, config);
	}
}

void observers_gone(const struct observers *observers)
{
	for (size_t i = 0; i < observers->count; i++) {
		const struct observer_calls *calls = observers->all[i].calls;

		if (calls->gone)
			calls->gone(observers->all[i].context);
	}
}

void observers_child(const struct observers *observers)
{
	for (size_t i = 0; i < observers->count; i++) {
		const struct observer_calls *calls = observers->all[i].calls;

		if (calls->child)
			calls->child(observers->all[i].context);
	}
}

void observers_clock_set(const struct observers *observers)
{
	for (size_t i = 0; i < observers->count; i++) {
		const struct observer_calls *calls = observers->all[i].calls;

		if (calls->clock_set)
			calls->clock_set(observers->all[i].context);
	}
}

void observers_ending(const struct observers *observers)
{
	for (size_t i = 0; i < observers->count; i++) {
		const struct observer_calls *calls = observers->all[i].calls;

		if (calls->ending)
			calls->ending(observers->all[i].context);
	}
}

int observers_found(const struct observers *observers)
{
	int answer = 0;

	for (size_t i = 0; i < observers->count && !answer; i++) {
		const struct observer_calls *calls = observers->all[i].calls;

		if (calls->found)
			answer = calls->found(observers->all[i].context);
	}
	return answer;
}

int observers_records(const struct observers *observers, struct model *model)
{
	int answer = 0;

	for (size_t i = 0; i < observers->count && !answer; i++) {
		const struct observer_calls *calls = observers->all[i].calls;

		if (calls->records)
			answer = calls->records(observers->all[i].context, model);
	}
	return answer;
}

bool observers_done(const struct observers *observers)
{
	bool answer = false;

	for (size_t i = 0; i < observers->count && !answer; i++) {
		const struct observer_calls *calls = observers->all[i].calls;

		if (calls->done)
			answer = calls->done(observers->all[i].context);
	}
	return answer;
}

/* what is due of one does not wait for another, which may have failed */
int observers_due(const struct observers *observers, __u64 now_ns, bool last, __u64 *next_ns)
{
	int answer = 0;

	for (size_t i = 0; i < observers->count; i++) {
		const struct observer_calls *calls = observers->all[i].calls;
		int own = calls->due ? calls->due(observers->all[i].context, now_ns, last,
						  next_ns) : 0;

		answer = answer ? answer : own;
	}
	return answer;
}

/* does any of them want to know when the wall clock was set? */
bool observers_have_clock_set(const struct observers *observers)
{
	bool have = false;

	for (size_t i = 0; i < observers->count; i++)
		have |= !!observers->all[i].calls->clock_set;
	return have;
}
