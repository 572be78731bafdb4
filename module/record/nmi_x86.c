// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/reboot.h>
#include <linux/smp.h>
#include <asm/nmi.h>

#include "compat/apic_send.h"
#include "compat/panic_notifier.h"
#include "record/nmi.h"
#include "state/published.h"

/* no NMI is sent before the handlers are registered, and once the machine goes down */
static bool silent = true;

static const struct tio_nmi_calls *calls;

/**
 * tio_nmi_able() - can an NMI be sent now, and may it?
 *
 * Nothing is sent from the moment on at which a kernel begins to crash. The notifier of
 * a panic comes too late: a crash kernel is booted before it, and an NMI that was still
 * latched then would stop that one (kernel commit 78a509fba9c9 "x86/boot: Ignore NMIs
 * during very early boot").
 *
 * Context: any.
 * Return: true when it can.
 */
bool tio_nmi_able(void)
{
	return !READ_ONCE(silent) && !READ_ONCE(oops_in_progress) &&
	       tio_published_knob(TIO_KNOB_NMI) != TRACE_IRQOFF_NMI_OFF;
}

/**
 * tio_nmi_send() - send an NMI
 * @cpu: an online CPU
 *
 * Context: interrupts off.
 */
void tio_nmi_send(unsigned int cpu)
{
	tio_apic_send(cpu, NMI_VECTOR);
}

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	return calls->take(regs) ? NMI_HANDLED : NMI_DONE;
}

static int on_unknown_nmi(unsigned int type, struct pt_regs *regs)
{
	return calls->claim() ? NMI_HANDLED : NMI_DONE;
}

/**
 * tio_nmi_ours() - is this a handler of this file?
 * @handler: a handler of NMIs
 *
 * Context: any.
 * Return: true when it is.
 */
bool tio_nmi_ours(const void *handler)
{
	return handler == on_nmi || handler == on_unknown_nmi;
}

/* code that dumps or stops the machine sends NMIs of its own: ours must not meet them */
static int going_down(struct notifier_block *block, unsigned long event,
		      void *data)
{
	WRITE_ONCE(silent, true);
	return NOTIFY_DONE;
}

static struct notifier_block panic_block = {
	.notifier_call = going_down,
	.priority = INT_MAX,
};

static struct notifier_block reboot_block = {
	.notifier_call = going_down,
	.priority = INT_MAX,
};

/**
 * tio_nmi_init() - be ready to send NMIs, and to handle them
 * @nmi_calls: what they call; stays in use until tio_nmi_exit() returns
 *
 * Context: task, may sleep.
 * Return: 0 or a negative errno.
 */
int tio_nmi_init(const struct tio_nmi_calls *nmi_calls)
{
	int ret;

	calls = nmi_calls;
	ret = register_nmi_handler(NMI_LOCAL, on_nmi, 0, "trace_irqoff");
	if (ret)
		return ret;
	ret = register_nmi_handler(NMI_UNKNOWN, on_unknown_nmi, 0,
				   "trace_irqoff");
	if (ret)
		goto err_unknown;
	ret = register_reboot_notifier(&reboot_block);
	if (ret)
		goto err_reboot;
	atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	WRITE_ONCE(silent, false);
	return 0;

err_reboot:
	unregister_nmi_handler(NMI_UNKNOWN, "trace_irqoff");
err_unknown:
	unregister_nmi_handler(NMI_LOCAL, "trace_irqoff");
	return ret;
}

/**
 * tio_nmi_exit() - neither send NMIs nor handle them any more
 *
 * No CPU is watched any more, so nobody sends. What was sent has arrived, because each
 * CPU has answered a call since (attach.c).
 *
 * Context: task, may sleep.
 */
void tio_nmi_exit(void)
{
	WRITE_ONCE(silent, true);
	atomic_notifier_chain_unregister(&panic_notifier_list, &panic_block);
	unregister_reboot_notifier(&reboot_block);
	unregister_nmi_handler(NMI_UNKNOWN, "trace_irqoff");
	unregister_nmi_handler(NMI_LOCAL, "trace_irqoff");
}
