// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints are found by name. That the probes have their signatures was checked
 * against the headers of one kernel, and no symbol's version tells of another one's.
 */
#include <generated/utsrelease.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/utsname.h>

#include "control/release.h"

static const char built_for[] = UTS_RELEASE;

static bool allow_other_release;
module_param(allow_other_release, bool, 0444);
MODULE_PARM_DESC(allow_other_release,
		 "Load into a kernel of another release than the headers that the module was built with (default 0)");

/**
 * tio_release_check() - is this the kernel that the module was built for?
 *
 * Weak modules and forced loading bring it to another one.
 *
 * Context: module init.
 * Return: 0; or -ENOEXEC, logged, where it is another one and nobody allowed that.
 */
int __init tio_release_check(void)
{
	const char *running = init_utsname()->release;

	if (!strcmp(built_for, running))
		return 0;
	if (allow_other_release) {
		pr_warn("built for kernel %s and loaded into %s, as allow_other_release=1 says\n",
			built_for, running);
		return 0;
	}
	pr_err("built for kernel %s and not loaded into %s: build it for this one, or load it with allow_other_release=1 if its tracepoints are the same\n",
	       built_for, running);
	return -ENOEXEC;
}
