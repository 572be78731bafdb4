/* SPDX-License-Identifier: GPL-2.0-only */
/* A decimal number, to its last digit. */
#ifndef _IRQOFF_DECIMAL_H
#define _IRQOFF_DECIMAL_H

#include <linux/types.h>
#include <stdbool.h>

/* digits * 10^exponent */
struct decimal {
	__u64 digits;
	int exponent;
	unsigned int decimals;	/* digits behind the point */
	bool scientific;	/* an exponent is written */
};

const char *decimal_read(const char *text, struct decimal *decimal);
void decimal_add(struct decimal *decimal, char digit, bool behind);
bool decimal_scale(const struct decimal *decimal, __u64 unit_ns, __u64 *ns);

#endif /* _IRQOFF_DECIMAL_H */
