// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/random.h>
#include <linux/siphash.h>

#include "state/opaque.h"

/* of this load of the module: nobody can tell addresses from their opaque numbers */
static siphash_key_t opaque_key __ro_after_init;

/**
 * tio_opaque_init() - draw the key of opaque numbers
 *
 * Context: module init.
 */
void __init tio_opaque_init(void)
{
	get_random_bytes(&opaque_key, sizeof(opaque_key));
}

/**
 * tio_opaque() - a number in place of bytes that nobody gets to see
 * @bytes: the bytes
 * @size: how many
 *
 * Context: any.
 * Return: equal for equal bytes, while the module is loaded.
 */
u32 tio_opaque(const void *bytes, size_t size)
{
	return siphash(bytes, size, &opaque_key);
}

/**
 * tio_shown_address() - what a reader gets to see of an address
 * @addr: the address
 * @real: the reader may see it
 *
 * Context: any.
 * Return: the address, or its opaque number: equal for equal addresses, and without the
 * highest bit, which all addresses of the kernel have.
 */
u64 tio_shown_address(u64 addr, bool real)
{
	return real ? addr : siphash_1u64(addr, &opaque_key) & S64_MAX;
}
