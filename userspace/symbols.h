/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds names for kernel code addresses in /proc/kallsyms and /proc/modules. */
#ifndef _IRQOFF_SYMBOLS_H
#define _IRQOFF_SYMBOLS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>

#define SYMBOL_LEN	513	/* KSYM_NAME_LEN, and a NUL */
#define SYMBOL_TEXT_LEN	(SYMBOL_LEN + 120)

struct symbol {
	char name[SYMBOL_LEN];
	char module[64];	/* "": the kernel itself or, where unloaded, not known */
	__u64 offset;
	__u64 size;		/* 0: not known */
	bool unloaded;		/* the code is gone; at most the module is known */
};

struct symbols;

struct symbols *symbols_read(FILE *kallsyms, FILE *modules);
struct symbols *symbols_open(const char *kallsyms_path, const char *modules_path);
void symbols_close(struct symbols *symbols);
bool symbols_hidden(const struct symbols *symbols);
bool symbols_find(const struct symbols *symbols, __u64 addr, bool returns, struct symbol *symbol);
const char *print_symbol(char buf[SYMBOL_TEXT_LEN], const struct symbol *symbol);

#endif /* _IRQOFF_SYMBOLS_H */
