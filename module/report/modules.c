// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kallsyms.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "core/frame_rule.h"
#include "core/record.h"
#include "report/kernel_name.h"
#include "report/modules.h"
#include "report/unloaded_names.h"

enum { TEXT, INIT_TEXT, TEXTS };

/* a module that was loaded after this one, or that was unloaded since */
struct load {
	struct list_head list;
	const struct module *module;	/* only compared */
	char name[MODULE_NAME_LEN];
	struct tio_text texts[TEXTS];	/* it frees INIT_TEXT when its init has returned */
	struct list_head names;		/* of its code that is gone */
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

/* when a module was loaded last that there was no memory to note; 0: none was */
static u64 missed_ns;

static struct load *describe(const struct module *module)
{
	struct load *load = kzalloc(sizeof(*load), GFP_KERNEL);

	if (!load)
		return NULL;
	load->module = module;
	strscpy(load->name, module->name, sizeof(load->name));
	load->texts[TEXT].base = (unsigned long)module_core_base(module);
	load->texts[TEXT].size = module_core_size(module);
	load->texts[INIT_TEXT].base = (unsigned long)module_init_base(module);
	load->texts[INIT_TEXT].size = module_init_size(module);
	INIT_LIST_HEAD(&load->list);
	INIT_LIST_HEAD(&load->names);
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

static void gone(const struct tio_text *text)
{
	if (!text->size)
		return;
	WRITE_ONCE(gone_from, min(gone_from, text->base));
	WRITE_ONCE(gone_to, max(gone_to, text->base + text->size));
}

static struct load *find_load(const struct module *module)
{
	struct load *load;

	list_for_each_entry(load, &loads, list)
		if (load->module == module && !load->unloaded_ns)
			return load;
	return NULL;
}

/*
 * The note of a module whose code is about to go, in part or whole. One that was loaded
 * before this module, or missed, gets it now; again it may be missed. Nobody but the
 * notifier of its own @module changes the note until then.
 */
static struct load *note_of(const struct module *module)
{
	struct load *load;

	mutex_lock(&loads_mutex);
	load = find_load(module);
	if (!load) {
		load = describe(module);
		if (load) {
			load->loaded_ns = missed_ns;
			list_add(&load->list, &loads);
		}
	}
	mutex_unlock(&loads_mutex);
	return load;
}

/* the names that stacks need are kept, as long as the kernel has them */
static void keep_names(struct load *load, unsigned int first, unsigned int n)
{
	LIST_HEAD(names);

	/* a reader may wait for the mutex, and this takes a while */
	tio_unloaded_names_collect(&names, &load->texts[first], n, load->loaded_ns);
	mutex_lock(&loads_mutex);
	list_splice(&names, &load->names);
	mutex_unlock(&loads_mutex);
}

/* its init has returned, and the kernel is about to free the init's text */
static void live(const struct module *module)
{
	struct load *load = note_of(module);

	if (!load)
		return;
	keep_names(load, INIT_TEXT, 1);
	mutex_lock(&loads_mutex);
	load->init_freed_ns = ktime_get_ns();
	gone(&load->texts[INIT_TEXT]);
	mutex_unlock(&loads_mutex);
}

static void free_load(struct load *load)
{
	list_del(&load->list);
	tio_unloaded_names_free(&load->names);
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
	struct load *load = note_of(module);

	if (!load)
		return;
	/* one whose init has failed still has all of its text */
	keep_names(load, TEXT, load->init_freed_ns ? 1 : TEXTS);
	mutex_lock(&loads_mutex);
	list_move(&load->list, &loads);
	load->unloaded_ns = ktime_get_ns();
	if (!load->init_freed_ns)
		load->init_freed_ns = load->unloaded_ns;
	gone(&load->texts[TEXT]);
	gone(&load->texts[INIT_TEXT]);
	if (nunloaded < UNLOADED_MAX)
		nunloaded++;
	else
		forget_oldest_unloaded();
	mutex_unlock(&loads_mutex);
}

static int loads_notify(struct notifier_block *nb, unsigned long action,
			void *data)
{
	const struct module *module = data;

	/* without memory the module is loaded all the same */
	if (action == MODULE_STATE_COMING && coming(module))
		pr_warn_once("no memory to note that module %s was loaded; frames of older stacks may lack names\n",
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

/* does the module have code at @addr now? */
static bool has(const struct load *load, u64 addr)
{
	return !load->unloaded_ns &&
	       (tio_lies_in(&load->texts[TEXT], addr) ||
		(!load->init_freed_ns && tio_lies_in(&load->texts[INIT_TEXT], addr)));
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
			if (has(load, sample->frames[i]))
				stale |= BIT_ULL(i);
	}
	mutex_unlock(&loads_mutex);
	return stale;
}

/*
 * Is what is at @addr now what was there at @at_ns? Where a module was loaded without a
 * note, only those that have one are known to have been there before.
 */
static bool is_same(u64 addr, u64 at_ns)
{
	const struct load *load;
	bool same;

	mutex_lock(&loads_mutex);
	same = at_ns >= missed_ns;
	list_for_each_entry(load, &loads, list) {
		if (has(load, addr)) {
			same = load->loaded_ns <= at_ns;
			break;
		}
	}
	mutex_unlock(&loads_mutex);
	return same;
}

/* was code of the text at @addr then, and is gone? */
static bool was_at(const struct load *load, unsigned int text, u64 addr, u64 at_ns)
{
	u64 gone_ns = text == INIT_TEXT ? load->init_freed_ns : load->unloaded_ns;

	return gone_ns && at_ns >= load->loaded_ns && at_ns <= gone_ns &&
	       tio_lies_in(&load->texts[text], addr);
}

static int print_place(char *buf, const struct load *load, unsigned int text, u64 addr,
		       bool returns)
{
	const char *name = tio_unloaded_name(&load->names, addr, returns);

	if (name)
		return scnprintf(buf, KSYM_SYMBOL_LEN, "%s" TIO_UNLOADED_MARK, name);
	return scnprintf(buf, KSYM_SYMBOL_LEN, "[%s%s]+0x%llx" TIO_UNLOADED_MARK, load->name,
			 text == INIT_TEXT ? " init" : "", addr - load->texts[text].base);
}

/* prints code that was at @addr at @at_ns and is gone; 0: nothing is known of it */
static int print_gone(char *buf, u64 addr, bool returns, u64 at_ns)
{
	const struct load *load;
	unsigned int text;
	int len = 0;

	if (addr < READ_ONCE(gone_from) || addr >= READ_ONCE(gone_to))
		return 0;
	mutex_lock(&loads_mutex);
	list_for_each_entry(load, &loads, list) {
		for (text = TEXT; text < TEXTS && !len; text++)
			if (was_at(load, text, addr, at_ns))
				len = print_place(buf, load, text, addr, returns);
		if (len)
			break;
	}
	mutex_unlock(&loads_mutex);
	return len;
}

/**
 * tio_frame_print() - print the name of a frame
 * @buf: at least KSYM_SYMBOL_LEN bytes
 * @sample: a sample with its stack
 * @frame: which of its frames
 *
 * Context: task, may sleep.
 * Return: length; the text is as the uapi header says of SYMBOL.
 */
int tio_frame_print(char *buf, const struct tio_sample *sample, unsigned int frame)
{
	u64 addr = sample->frames[frame];
	int len;

	len = print_gone(buf, addr, frame, sample->at_ns);
	if (len)
		return len;
	len = tio_kernel_name(buf, sample, frame);
	/* asked after the name: a module that came meanwhile is noted */
	if (len && (tio_in_image(addr) || is_same(addr, sample->at_ns)))
		return len;
	return scnprintf(buf, KSYM_SYMBOL_LEN, TIO_UNLOADED);
}

/**
 * tio_function_print() - print the name of a function
 * @buf: at least KSYM_SYMBOL_LEN bytes
 * @addr: where it begins
 * @at_ns: when it ran
 *
 * Context: task, may sleep.
 * Return: as tio_frame_print().
 */
int tio_function_print(char *buf, u64 addr, u64 at_ns)
{
	int len = print_gone(buf, addr, false, at_ns);

	if (len)
		return len;
	len = tio_kernel_function(buf, addr);
	if (len && (tio_in_image(addr) || is_same(addr, at_ns)))
		return len;
	return scnprintf(buf, KSYM_SYMBOL_LEN, TIO_UNLOADED);
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
