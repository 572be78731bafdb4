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

/* a module that was loaded after this one and still is */
struct load {
	struct list_head list;
	const struct module *module;
	unsigned long base;
	unsigned long size;
	u64 loaded_ns;
};

static LIST_HEAD(loads);
static DEFINE_MUTEX(loads_mutex);	/* guards loads */

static int coming(const struct module *module)
{
	struct load *load = kmalloc(sizeof(*load), GFP_KERNEL);

	if (!load)
		return -ENOMEM;
	load->module = module;
	load->base = (unsigned long)module_core_base(module);
	load->size = module_core_size(module);
	load->loaded_ns = ktime_get_ns();
	mutex_lock(&loads_mutex);
	list_add(&load->list, &loads);
	mutex_unlock(&loads_mutex);
	return 0;
}

static void going(const struct module *module)
{
	struct load *load, *next;

	mutex_lock(&loads_mutex);
	list_for_each_entry_safe(load, next, &loads, list) {
		if (load->module != module)
			continue;
		list_del(&load->list);
		kfree(load);
	}
	mutex_unlock(&loads_mutex);
}

static int loads_notify(struct notifier_block *nb, unsigned long action,
			void *data)
{
	const struct module *module = data;

	/*
	 * Want of a few bytes does not refuse a load. The price: a frame of the module
	 * that was in this place before may get this one's name.
	 */
	if (action == MODULE_STATE_COMING && coming(module))
		pr_warn_once("no memory to note that module %s was loaded\n",
			     module->name);
	else if (action == MODULE_STATE_GOING)
		going(module);
	return NOTIFY_OK;
}

static struct notifier_block loads_block = {
	.notifier_call = loads_notify,
};

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
			if (sample->frames[i] - load->base < load->size)
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

/**
 * tio_frame_print() - print a frame as the kernel names it
 * @buf: at least KSYM_SYMBOL_LEN bytes
 * @sample: a sample with its stack
 * @stale: tio_modules_stale() of it
 * @frame: which of its frames
 *
 * Every frame but the innermost is a return address, which may lie behind the end of
 * the function that called. The kernel's %pB looks one byte before it.
 *
 * Context: task.
 * Return: length; the text is "symbol+0xoffset/0xsize [module]", or "[unloaded]".
 */
int tio_frame_print(char *buf, const struct tio_sample *sample, u64 stale,
		    unsigned int frame)
{
	void *addr = (void *)(unsigned long)sample->frames[frame];
	int len;

	if (!(stale & BIT_ULL(frame))) {
		len = frame == 1 ? print_jump_target(buf, sample) : 0;
		if (len)
			return len;
		len = scnprintf(buf, KSYM_SYMBOL_LEN, frame ? "%pB" : "%pS", addr);
		/* an address without a symbol is printed as a number */
		if (strncmp(buf, "0x", 2))
			return len;
	}
	return scnprintf(buf, KSYM_SYMBOL_LEN, "[unloaded]");
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
 */
void tio_modules_exit(void)
{
	struct load *load, *next;

	unregister_module_notifier(&loads_block);
	list_for_each_entry_safe(load, next, &loads, list)
		kfree(load);
	INIT_LIST_HEAD(&loads);
}
