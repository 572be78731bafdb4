// SPDX-License-Identifier: GPL-2.0-only
/* No module can send an NMI here. */
#include "record/nmi.h"

/**
 * tio_nmi_init() - nothing to do
 * @nmi_calls: never called
 *
 * Context: task, may sleep.
 * Return: 0.
 */
int tio_nmi_init(const struct tio_nmi_calls *nmi_calls)
{
	return 0;
}

/**
 * tio_nmi_exit() - nothing to do
 *
 * Context: task, may sleep.
 */
void tio_nmi_exit(void)
{
}

/**
 * tio_nmi_able() - can an NMI be sent now?
 *
 * Context: any.
 * Return: false.
 */
bool tio_nmi_able(void)
{
	return false;
}

/**
 * tio_nmi_ours() - is this a handler of ours?
 * @handler: a handler of NMIs
 *
 * Context: any.
 * Return: false.
 */
bool tio_nmi_ours(const void *handler)
{
	return false;
}

/**
 * tio_nmi_send() - never called
 * @cpu: a CPU
 *
 * Context: interrupts off.
 */
void tio_nmi_send(unsigned int cpu)
{
}
