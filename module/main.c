// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

#include "arch/beneath.h"
#include "arch/lock.h"
#include "control/control.h"
#include "control/cpu_call.h"
#include "control/memory.h"
#include "control/release.h"
#include "control/status.h"
#include "detect/cost_limit.h"
#include "detect/tracepoints.h"
#include "detect/watch.h"
#include "record/meanwhile.h"
#include "record/nmi.h"
#include "record/nmi_sample.h"
#include "record/stack.h"
#include "record/wake.h"
#include "report/modules.h"
#include "report/netlink.h"
#include "report/procfs.h"
#include "state/opaque.h"
#include "state/published.h"
#include "version.h"

static const struct tio_nmi_calls nmi_calls = {
	.take = tio_nmi_sample_take,
	.claim = tio_nmi_sample_claim,
};

static int __init trace_irqoff_init(void)
{
	int ret;

	ret = tio_release_check();
	if (ret)
		goto err_stack;
	tio_opaque_init();
	tio_status_init();
	tio_beneath_init();
	tio_lock_init();
	tio_cpu_call_init(tio_watch_take_up);
	tio_watch_init();
	tio_cost_limit_init(tio_control_self_stop);
	ret = tio_probes_init();
	if (ret)
		goto err_stack;
	ret = tio_stack_init();
	if (ret)
		goto err_stack;
	ret = tio_meanwhile_init();
	if (ret)
		goto err_meanwhile;
	ret = tio_modules_init();
	if (ret)
		goto err_modules;
	ret = tio_nmi_init(&nmi_calls);
	if (ret)
		goto err_nmi;
	ret = tio_control_init();
	if (ret)
		goto err_control;
	ret = tio_procfs_init();
	if (ret)
		goto err_procfs;
	ret = tio_netlink_init();
	if (ret)
		goto err_netlink;
	/* behind what the kernel says of parameters that it does not know */
	pr_info("loaded, version " TRACE_IRQOFF_VERSION "\n");
	return 0;

err_netlink:
	tio_procfs_exit();
err_procfs:
	tio_control_exit();
	tio_wake_exit();
err_control:
	tio_cost_limit_exit();
	tio_nmi_exit();
err_nmi:
	tio_modules_exit();
err_modules:
	tio_meanwhile_exit();
err_meanwhile:
	tio_stack_exit();
err_stack:
	tio_control_leave();
	/* also what tio_control_init() allocated before it failed, and stored parameters */
	tio_memory_exit();
	tio_published_exit();
	tio_lock_exit();
	return ret;
}

static void __exit trace_irqoff_exit(void)
{
	tio_netlink_exit();
	tio_procfs_exit();
	tio_control_exit();
	tio_wake_exit();
	tio_cost_limit_exit();
	tio_nmi_exit();
	tio_modules_exit();
	tio_memory_exit();
	tio_published_exit();
	tio_stack_exit();
	tio_meanwhile_exit();
	tio_lock_exit();
}

module_init(trace_irqoff_init);
module_exit(trace_irqoff_exit);

MODULE_DESCRIPTION("Finds and names stretches without hard interrupts or softirqs");
MODULE_AUTHOR("The trace_irqoff authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(TRACE_IRQOFF_VERSION);
