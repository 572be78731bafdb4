// SPDX-License-Identifier: GPL-2.0-only
#include "arch/clock.h"

/**
 * tio_clock_init() - nothing to learn: a cycle is a nanosecond
 *
 * Context: module init.
 */
void tio_clock_init(void)
{
}

/**
 * tio_clock_steady() - can cycles be converted to ns?
 *
 * Context: any.
 * Return: true.
 */
bool tio_clock_steady(void)
{
	return true;
}

/**
 * tio_clock_agrees() - can the cycles of two CPUs be compared?
 *
 * Context: any.
 * Return: true.
 */
bool tio_clock_agrees(void)
{
	return true;
}
