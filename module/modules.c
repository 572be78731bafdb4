// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kallsyms.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "frame_rule.h"
#include "modules.h"
#include "record.h"

struct text_range {
	unsigned long base;
	unsigned long size;
};

/* a module that was loaded after this one, or that was unloaded since */
struct load {
	struct list_head list;
	const struct module *module;	/* only compared */
	char name[MODULE_NAME_LEN];
	struct text_range text;
	struct text_range init;	/* what it frees when its init has returned */
	u64 loaded_ns;
	u64 init_freed_ns;	/* 0: not yet */
	u64 unloaded_ns;	/* 0: not yet */
};

/* how many unloaded modules are remembered, the latest ones */
#define UNLOADED_MAX	64

/* loads_mutex guards all of this; what was loaded or unloaded last is first */
static LIST_HEAD(loads);
static unsigned int nunloaded;
static DEFINE_MUTEX(loads_mutex);

/*
 * All code that is gone lies in here: nearly no frame does, which spares the search.
 * Written under loads_mutex, and only ever widened.
 */
static unsigned long gone_from = ULONG_MAX, gone_to;

/* when a module was loaded that there was no memory for to note; 0: none was */
static u64 missed_ns;

static bool lies_in(const struct text_range *range, u64 addr)
{
	return addr - range->base < range->size;
}

static struct load *describe(const struct module *module)
{
	struct load *load = kzalloc(sizeof(*load), GFP_KERNEL);

	if (!load)
		return NULL;
	load->module = module;
	strscpy(load->name, module->name, sizeof(load->name));
	load->text.base = (unsigned long)module_core_base(module);
	load->text.size = module_core_size(module);
	load->init.base = (unsigned long)module_init_base(module);
	load->init.size = module_init_size(module);
	return load;
}

static int coming(const struct module *module)
{
	struct load *load = describe(module);
	u64 now_ns = ktime_get_ns();

	mutex_lock(&loads_mutex);
	if (load) {
		load->loaded_ns = now_ns;
		list_add(&load->list, &loads);
	} else {
		missed_ns = now_ns;
	}
	mutex_unlock(&loads_mutex);
	return load ? 0 : -ENOMEM;
}

static void gone(const struct text_range *range)
{
	if (!range->size)
		return;
	WRITE_ONCE(gone_from, min(gone_from, range->base));
	WRITE_ONCE(gone_to, max(gone_to, range->base + range->size));
}

static struct load *find_load(const struct module *module)
{
	struct load *load;

	list_for_each_entry(load, &loads, list)
		if (load->module == module && !load->unloaded_ns)
			return load;
	return NULL;
}

/* its init has returned, and the kernel is about to free the init's text */
static void live(const struct module *module)
{
	struct load *load;

	mutex_lock(&loads_mutex);
	load = find_load(module);
	if (load) {
		load->init_freed_ns = ktime_get_ns();
		gone(&load->init);
	}
	mutex_unlock(&loads_mutex);
}

static void free_load(struct load *load)
{
	list_del(&load->list);
	kfree(load);
}

static void forget_oldest_unloaded(void)
{
	struct load *load;

	list_for_each_entry_reverse(load, &loads, list) {
		if (load->unloaded_ns) {
			free_load(load);
			return;
		}
	}
}

static void going(const struct module *module)
{
	struct load *load;

	mutex_lock(&loads_mutex);
	load = find_load(module);
	if (!load) {
		/* it was loaded before this module, or missed; again it may be missed */
		load = describe(module);
		if (!load)
			goto out;
		load->loaded_ns = missed_ns;
		INIT_LIST_HEAD(&load->list);
	}
	list_move(&load->list, &loads);
	load->unloaded_ns = ktime_get_ns();
	/* of one whose init has failed */
	if (!load->init_freed_ns)
		load->init_freed_ns = load->unloaded_ns;
	gone(&load->text);
	gone(&load->init);
	if (nunloaded < UNLOADED_MAX)
		nunloaded++;
	else
		forget_oldest_unloaded();
out:
	mutex_unlock(&loads_mutex);
}

static int loads_notify(struct notifier_block *nb, unsigned long action,
			void *data)
{
	const struct module *module = data;

	/*
	 * Without memory the module is loaded all the same. A frame of a module that
	 * lay in this place before may get this one's name then.
	 */
	if (action == MODULE_STATE_COMING && coming(module))
		pr_warn_once("no memory to note that module %s was loaded\n",
			     module->name);
	else if (action == MODULE_STATE_LIVE)
		live(module);
	else if (action == MODULE_STATE_GOING)
		going(module);
	return NOTIFY_OK;
}

static struct notifier_block loads_block = {
	.notifier_call = loads_notify,
};

/* does @addr lie in a module that was loaded after @at_ns? */
static bool is_stale(const struct load *load, u64 addr, u64 at_ns)
{
	return load->loaded_ns > at_ns &&
	       (lies_in(&load->text, addr) ||
		(!load->init_freed_ns && lies_in(&load->init, addr)));
}

/**
 * tio_modules_stale() - which frames lie in modules that were loaded later
 * @sample: a sample with its stack
 *
 * Context: task, may sleep.
 * Return: bit i for frame i.
 */
u64 tio_modules_stale(const struct tio_sample *sample)
{
	struct load *load;
	unsigned int i;
	u64 stale = 0;

	mutex_lock(&loads_mutex);
	list_for_each_entry(load, &loads, list) {
		if (load->loaded_ns <= sample->at_ns)
			continue;
		for (i = 0; i < sample->nframes; i++)
			if (is_stale(load, sample->frames[i], sample->at_ns))
				stale |= BIT_ULL(i);
	}
	mutex_unlock(&loads_mutex);
	return stale;
}

/*
 * Prints the second frame if it is the function that a retpoline jumps to
 * (frame_rule.h). Returns the length of the name, 0 where it is no such function.
 */
static int print_jump_target(char *buf, const struct tio_sample *sample)
{
	int len;

	scnprintf(buf, KSYM_SYMBOL_LEN, "%pS",
		  (void *)(unsigned long)sample->frames[0]);
	if (!tio_is_retpoline(buf))
		return 0;
	len = scnprintf(buf, KSYM_SYMBOL_LEN, "%pS",
			(void *)(unsigned long)sample->frames[1]);
	return strstr(buf, "+0x0/") ? len : 0;
}

/* marks a name that may be that of a later BPF program (frame_rule.h) */
static int mark_bpf(char *buf, int len)
{
	if (tio_is_bpf(buf))
		len += scnprintf(buf + len, KSYM_SYMBOL_LEN - len, " [" TIO_BPF_MARK "]");
	return len;
}

/* was code at @addr then that a module had, and that is gone? */
static bool was_at(const struct load *load, u64 addr, u64 at_ns)
{
	u64 unloaded_ns = load->unloaded_ns ?: U64_MAX;

	if (at_ns < load->loaded_ns || at_ns > unloaded_ns)
		return false;
	return (load->unloaded_ns && lies_in(&load->text, addr)) ||
	       (load->init_freed_ns && lies_in(&load->init, addr) &&
		at_ns <= load->init_freed_ns);
}

/* prints code that was at @addr at @at_ns and is gone; 0: nothing is known of it */
static int print_unloaded(char *buf, u64 addr, u64 at_ns)
{
	const struct load *load;
	int len = 0;

	if (addr < READ_ONCE(gone_from) || addr >= READ_ONCE(gone_to))
		return 0;
	mutex_lock(&loads_mutex);
	list_for_each_entry(load, &loads, list) {
		if (was_at(load, addr, at_ns)) {
			len = scnprintf(buf, KSYM_SYMBOL_LEN, "[unloaded %s]", load->name);
			break;
		}
	}
	mutex_unlock(&loads_mutex);
	return len;
}

/* likewise, and says so where nothing is known of it */
static int print_gone(char *buf, u64 addr, u64 at_ns)
{
	return print_unloaded(buf, addr, at_ns) ?:
	       scnprintf(buf, KSYM_SYMBOL_LEN, "[unloaded]");
}

/**
 * tio_unloaded_print() - print a frame of code that is gone, if its module is known
 * @buf: at least KSYM_SYMBOL_LEN bytes
 * @sample: a sample with its stack
 * @frame: which of its frames
 *
 * Context: task, may sleep.
 * Return: length; the text is "[unloaded MODULE]". 0 where the frame is in none of the
 * last 64 modules that were unloaded, nor in the freed init code of one that is loaded.
 */
int tio_unloaded_print(char *buf, const struct tio_sample *sample, unsigned int frame)
{
	return print_unloaded(buf, sample->frames[frame], sample->at_ns);
}

/* is the frame the instruction that an interrupt or an exception came in on? */
static bool was_interrupted(char *buf, const struct tio_sample *sample, unsigned int frame)
{
	scnprintf(buf, KSYM_SYMBOL_LEN, "%ps",
		  (void *)(unsigned long)sample->frames[frame - 1]);
	return tio_is_entry(buf);
}

static int print_name(char *buf, const struct tio_sample *sample, unsigned int frame)
{
	void *addr = (void *)(unsigned long)sample->frames[frame];
	int len = scnprintf(buf, KSYM_SYMBOL_LEN, "%pS", addr);

	/* within a function it does not matter what the address is */
	if (!frame || !(strstr(buf, "+0x0/") || !strncmp(buf, "0x", 2)))
		return len;
	return scnprintf(buf, KSYM_SYMBOL_LEN,
			 was_interrupted(buf, sample, frame) ? "%pS" : "%pB", addr);
}

/**
 * tio_frame_print() - print a frame as the kernel names it
 * @buf: at least KSYM_SYMBOL_LEN bytes
 * @sample: a sample with its stack
 * @stale: tio_modules_stale() of it
 * @frame: which of its frames
 *
 * A return address may lie behind the end of the function that called. The kernel's %pB
 * looks one byte before it.
 *
 * Context: task, may sleep.
 * Return: length; the text is "symbol+0xoffset/0xsize [module]", with "[bpf?]" for BPF
 * programs, that of tio_unloaded_print(), or "[unloaded]".
 */
int tio_frame_print(char *buf, const struct tio_sample *sample, u64 stale,
		    unsigned int frame)
{
	int len;

	if (!(stale & BIT_ULL(frame))) {
		len = frame == 1 ? print_jump_target(buf, sample) : 0;
		if (!len)
			len = print_name(buf, sample, frame);
		/* an address without a symbol is printed as a number */
		if (strncmp(buf, "0x", 2))
			return mark_bpf(buf, len);
	}
	return print_gone(buf, sample->frames[frame], sample->at_ns);
}

/**
 * tio_function_print() - print a function as the kernel names it
 * @buf: at least KSYM_SYMBOL_LEN bytes
 * @addr: where it begins
 * @at_ns: when it ran
 *
 * Context: task, may sleep.
 * Return: length; the text is as tio_frame_print()'s, never a bare number.
 */
int tio_function_print(char *buf, u64 addr, u64 at_ns)
{
	const struct load *load;
	bool stale = false;
	int len;

	mutex_lock(&loads_mutex);
	list_for_each_entry(load, &loads, list)
		stale = stale || is_stale(load, addr, at_ns);
	mutex_unlock(&loads_mutex);
	if (!stale) {
		len = scnprintf(buf, KSYM_SYMBOL_LEN, "%pS", (void *)(unsigned long)addr);
		if (strncmp(buf, "0x", 2))
			return len;
	}
	return print_gone(buf, addr, at_ns);
}

/**
 * tio_modules_init() - begin to note modules that are loaded
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int tio_modules_init(void)
{
	return register_module_notifier(&loads_block);
}

/**
 * tio_modules_exit() - stop noting, and forget all
 *
 * Context: task, may sleep.
 */
void tio_modules_exit(void)
{
	struct load *load, *next;

	unregister_module_notifier(&loads_block);
	list_for_each_entry_safe(load, next, &loads, list)
		free_load(load);
}
