// SPDX-License-Identifier: GPL-2.0-only
/*
 * A culprit runs on a task's behalf where the task called it: in a section of the task's
 * own, or because the task had the CPU that ksoftirqd waited for. What an interrupt or a
 * softirq calls runs on behalf of nobody that a record knows; the interrupted task is
 * innocent.
 */
#include <string.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/say.h"
#include "capture/strip.h"
#include "judge/on_behalf.h"
#include "names/stack_functions.h"

/*
 * What a system call's functions are called besides its name: SYSCALL_DEFINEx() of
 * <linux/syscalls.h> and of the architectures, and what these call in turn
 */
static const char * const call_prefixes[] = {
	"__x64_sys_", "__ia32_sys_", "__ia32_compat_sys_", "__x32_compat_sys_", "__arm64_sys_",
	"__arm64_compat_sys_", "__do_sys_", "__se_sys_", "__do_compat_sys_", "__se_compat_sys_",
	"ksys_", "__sys_",
};

/**
 * behalf_operation() - the system call that a stack is in
 * @trace: the stack
 *
 * Return: the name of the outermost function behind the kernel's entry, without what is before
 * the system call's; NULL where it is none's.
 */
const char *behalf_operation(const struct trace *trace)
{
	int i = trace->nsteps - 1;
	const char *name;

	while (i >= 0 && trace->steps[i].function->plumbing)
		i--;
	if (i < 0 || i == trace->nsteps - 1 || !trace->steps[i].function->core)
		return NULL;
	name = trace->steps[i].function->name;
	for (size_t k = 0; k < ARRAY_SIZE(call_prefixes); k++) {
		size_t len = strlen(call_prefixes[k]);

		if (!strncmp(name, call_prefixes[k], len))
			return name + len;
	}
	return NULL;
}

/*
 * What serves the message or the file of a system call: sendmsg() may do anything, and
 * rtnl_dellink() removes a device.
 */
static const char *handler_of(const struct trace *trace, const struct entry *entry)
{
	const struct function *function;
	bool called = false;

	for (int i = trace->nsteps - 1; i >= 0; i--) {
		function = trace->steps[i].function;
		if (called && !function->calls_handler && !function_serves(function))
			/* a culprit says as much itself */
			return strcmp(function->text, entry->found.culprit) ? function->text : NULL;
		called = called || function->calls_handler;
	}
	return NULL;
}

/* threads of the kernel begin in kthread(), which a stack that is cut off does not show */
static enum runs_for caller(const struct symbols *symbols, struct entry *entry,
			    const struct tio_sample *sample)
{
	struct trace trace;

	if (sample->flags & TRACE_IRQOFF_F_USER)
		return RUNS_FOR_TASK;
	trace_of(&trace, symbols, entry, sample);
	entry->found.operation = behalf_operation(&trace);
	if (entry->found.operation)
		entry->found.handler = handler_of(&trace, entry);
	for (int i = trace.nsteps - 1; i >= 0; i--)
		if (trace.steps[i].function->kthread)
			return RUNS_FOR_KTHREAD;
	return sample->flags & TRACE_IRQOFF_F_TRUNCATED ? RUNS_FOR_NOBODY : RUNS_FOR_TASK;
}

/*
 * Nobody where an interrupt or a softirq called it, where the idle task did, where the stack does
 * not tell a task from a thread of the kernel, and where there is no culprit
 */
static enum runs_for runs_for(const struct symbols *symbols, struct entry *entry)
{
	const __u32 others = TRACE_IRQOFF_F_IDLE | TRACE_IRQOFF_F_IDLE_LOOP |
			     TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_SERVING_SOFTIRQ;
	const struct tio_sample *sample = entry_naming_sample(entry);
	const enum tio_class class = entry->found.verdict.class;

	if (!sample || !entry->found.culprit || sample->flags & others)
		return RUNS_FOR_NOBODY;
	if (class != TIO_CLASS_HARDIRQ_OFF && class != TIO_CLASS_SOFTIRQ_OFF &&
	    class != TIO_CLASS_KSOFTIRQD_WAIT)
		return RUNS_FOR_NOBODY;
	return caller(symbols, entry, sample);
}

/**
 * behalf_find() - did the culprit run on the behalf of the task that was interrupted?
 * @symbols: names
 * @entry: a record with class and culprit; gets runs_for and operation
 */
void behalf_find(const struct symbols *symbols, struct entry *entry)
{
	entry->found.operation = NULL;
	entry->found.handler = NULL;
	entry->found.runs_for = runs_for(symbols, entry);
}

/* the most that a struct who takes */
#define WHO_MOST	(sizeof(struct who) + OPERATION_LEN + sizeof(struct container))

static char *behind(const char *text)
{
	return (char *)text + strlen(text) + 1;
}

static char *pod_of(const struct who *who)
{
	return behind(who->texts);
}

static char *id_of(const struct who *who)
{
	return behind(pod_of(who));
}

static bool same(const struct who *left, const struct who *right)
{
	return left->kthread == right->kthread && !strcmp(left->comm, right->comm) &&
	       !strcmp(left->texts, right->texts) && !strcmp(pod_of(left), pod_of(right)) &&
	       !strcmp(id_of(left), id_of(right));
}

/* whom the record's time is added to, in room of zeroes; comm stays "" where it is not known */
static void identify(struct who *who, const struct entry *entry)
{
	const struct tio_sample *sample = entry_naming_sample(entry);
	const struct container *container = cgroup_container(sample_cgroup(sample));

	who->kthread = entry->found.runs_for == RUNS_FOR_KTHREAD;
	if (strcmp(sample->comm, STRIPPED_COMM))
		strcpy(who->comm, sample->comm);
	/* "kworker/0:1" and "migration/3" are one kind each */
	if (who->kthread)
		who->comm[strcspn(who->comm, "/")] = '\0';
	if (entry->found.operation)
		snprintf(who->texts, OPERATION_LEN, "%s", entry->found.operation);
	strcpy(pod_of(who), container->pod);
	strcpy(id_of(who), container->id);
}

static struct who *copy_who(const struct who *who)
{
	size_t len = behind(id_of(who)) - (const char *)who;

	return memcpy(alloc(len, 1), who, len);
}

static void process_begin(struct process *process, const struct entry *entry, unsigned int place)
{
	const struct tio_sample *sample = entry_naming_sample(entry);

	*process = (struct process){
		.place = place,
		.pid = sample->pid,
		.tgid = sample->tgid,
		.threads = sample->threads,
		.parent = sample->parent,
	};
	memcpy(process->parent_comm, sample->parent_comm, sizeof(process->parent_comm));
	if (entry->found.handler)
		process->handler = print_text("%.*s", HANDLER_LEN - 1, entry->found.handler);
}

static void forget_handler(struct process *process)
{
	free(process->handler);
	process->handler = NULL;
}

/* forgets what is not the same in one more record */
static void process_meet(struct process *process, const struct entry *entry, unsigned int place)
{
	const struct tio_sample *sample = entry_naming_sample(entry);
	const char *handler = entry->found.handler ?: "", *before = process->handler;
	bool here = place == process->place;

	if (!here || sample->pid != process->pid)
		process->pid = 0;
	if (!here || sample->tgid != process->tgid)
		process->tgid = 0;
	if (sample->threads > process->threads)
		process->threads = sample->threads;
	if (!here || sample->parent != process->parent ||
	    strcmp(sample->parent_comm, process->parent_comm)) {
		process->parent = 0;
		*process->parent_comm = '\0';
	}
	if (before && strncmp(handler, before, HANDLER_LEN - 1))
		forget_handler(process);
}

/* the one with the least time gives way, and the new one may have had that time before */
static struct behalf *replace_least(struct behalves *behalves, const struct who *wanted)
{
	struct behalf *least = &behalves->all[0];

	for (size_t i = 1; i < behalves->count; i++)
		if (behalves->all[i].ns < least->ns)
			least = &behalves->all[i];
	free(least->who);
	least->who = copy_who(wanted);
	least->surplus_ns = least->ns;
	/* it may have been another process before */
	forget_handler(&least->process);
	least->process = (struct process){ 0 };
	return least;
}

/**
 * behalf_add() - add a record's time to that of the task that it ran for
 * @behalves: those of its group
 * @entry: a record, with its cgroups
 * @place: its node
 */
void behalf_add(struct behalves *behalves, const struct entry *entry, unsigned int place)
{
	union {
		struct who who;
		char room[WHO_MOST];
	} wanted;
	struct behalf *found = NULL;

	if (entry->found.runs_for == RUNS_FOR_NOBODY)
		return;
	memset(&wanted, 0, sizeof(wanted));
	identify(&wanted.who, entry);
	if (!*wanted.who.comm)
		return;
	for (size_t i = 0; i < behalves->count && !found; i++)
		if (same(behalves->all[i].who, &wanted.who))
			found = &behalves->all[i];
	if (found)
		process_meet(&found->process, entry, place);
	else if (behalves->count == BEHALF_MOST)
		found = replace_least(behalves, &wanted.who);
	if (!found) {
		behalves->all = grow(behalves->all, behalves->count, sizeof(*found));
		found = &behalves->all[behalves->count++];
		*found = (struct behalf){ .who = copy_who(&wanted.who) };
		process_begin(&found->process, entry, place);
	}
	found->ns += entry_own_ns(entry);
}

/* the time that was surely its own */
__u64 behalf_ns(const struct behalf *behalf)
{
	return behalf->ns - behalf->surplus_ns;
}

/* the system call that it was in; "": none, or not known */
const char *behalf_call(const struct behalf *behalf)
{
	return behalf->who->texts;
}

/* "" where it was in none */
const char *behalf_pod(const struct behalf *behalf)
{
	return pod_of(behalf->who);
}

/* likewise, the container's id */
const char *behalf_container(const struct behalf *behalf)
{
	return id_of(behalf->who);
}

/**
 * behalf_most() - the task with the largest share of the time
 * @behalves: those of a group
 *
 * Return: it; NULL where nobody is known.
 */
const struct behalf *behalf_most(const struct behalves *behalves)
{
	const struct behalf *most = NULL;

	for (size_t i = 0; i < behalves->count; i++)
		if (!most || behalf_ns(&behalves->all[i]) > behalf_ns(most))
			most = &behalves->all[i];
	return most && behalf_ns(most) ? most : NULL;
}

/* "ip (sendmsg, rtnl_dellink), pod 6ba7b810-...", with @process behind the call */
static char *print(const struct behalf *behalf, const char *process)
{
	const char *pod = behalf_pod(behalf), *id = behalf_container(behalf);
	const char *call = behalf_call(behalf), *handler = behalf->process.handler ?: "";

	return print_text("%s%s%s%s%s%s%s%s%s%s%s%.*s",
			  behalf->who->kthread ? "kernel thread " : "", behalf->who->comm,
			  *call ? " (" : "", call, *handler ? ", " : "", handler,
			  *call ? ")" : "", process,
			  *pod ? ", pod " : "", pod,
			  *id ? ", container " : "", CONTAINER_SHORT_LEN, id);
}

/**
 * behalf_print() - a task with its system call, pod and container
 * @buf: room
 * @behalf: the task
 *
 * Return: @buf.
 */
const char *behalf_print(char buf[CELL_LEN], const struct behalf *behalf)
{
	char *text = print(behalf, "");

	snprintf(buf, CELL_LEN, "%s", text);
	free(text);
	return buf;
}

/* ", tgid 7455, 8001 threads", of one thread ", pid 15468" */
static char *print_task(const struct process *process)
{
	if (process->tgid && process->threads > 1)
		return print_text(", tgid %u, %u threads", process->tgid, process->threads);
	if (process->pid)
		return print_text(", pid %u", process->pid);
	return process->tgid ? print_text(", tgid %u", process->tgid) : copy_text("");
}

/**
 * behalf_text() - a task as behalf_print() has it, and whose it is
 * @behalf: the task
 *
 * That is its pid or its process, where it is one in all records, and likewise the parent. All
 * threads of the kernel have the same parent.
 *
 * Return: "cat (read), pid 15468, parent sh (103)", to be freed.
 */
char *behalf_text(const struct behalf *behalf)
{
	const struct process *process = &behalf->process;
	char *task = print_task(process), *whole, *text;

	if (process->parent && !behalf->who->kthread)
		whole = print_text("%s, parent %s (%u)", task, process->parent_comm,
				   process->parent);
	else
		whole = copy_text(task);
	text = print(behalf, whole);
	free(whole);
	free(task);
	return text;
}

void behalf_free(struct behalves *behalves)
{
	for (size_t i = 0; i < behalves->count; i++) {
		forget_handler(&behalves->all[i].process);
		free(behalves->all[i].who);
	}
	free(behalves->all);
	*behalves = (struct behalves){ 0 };
}
