// SPDX-License-Identifier: GPL-2.0-only
/* Nowhere but on x86 may a module send an NMI. */
#include "nmi.h"

/**
 * tio_nmi_init() - be ready to send
 *
 * Return: 0.
 */
int tio_nmi_init(void)
{
	return 0;
}

/**
 * tio_nmi_exit() - neither send nor take any more
 */
void tio_nmi_exit(void)
{
}

/**
 * tio_nmi_able() - can an NMI be sent now?
 */
bool tio_nmi_able(void)
{
	return false;
}

/**
 * tio_nmi_send() - send one
 * @cpu: to this CPU
 */
void tio_nmi_send(unsigned int cpu)
{
}
