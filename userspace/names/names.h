/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of kernel code, read again when modules have come or gone. */
#ifndef _IRQOFF_NAMES_H
#define _IRQOFF_NAMES_H

struct symbols;

struct names {
	const char *kallsyms;	/* paths */
	const char *modules;
	struct symbols *symbols;	/* NULL: never read */
	char *seen;		/* the list of modules at that time; NULL: it could not be read */
	unsigned int reads;
};

void names_renew(struct names *names);
void names_free(struct names *names);

#endif /* _IRQOFF_NAMES_H */
