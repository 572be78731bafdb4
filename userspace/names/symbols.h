/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds names for kernel code addresses in /proc/kallsyms and /proc/modules. */
#ifndef _IRQOFF_SYMBOLS_H
#define _IRQOFF_SYMBOLS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SYMBOL_LEN	513	/* KSYM_NAME_LEN, and a NUL */
#define SYMBOL_TEXT_LEN	(SYMBOL_LEN + 130)
#define NO_OFFSET	(~0ULL)

struct symbol {
	char name[SYMBOL_LEN];	/* "": not known, of code that is gone */
	char module[64];	/* "": the kernel itself or, where unloaded, not known */
	__u64 offset;		/* in the function; without a name in the module, or NO_OFFSET */
	__u64 size;		/* 0: not known */
	bool unloaded;		/* the code is gone */
};

/* a function of the kernel, where it was */
struct code {
	__u64 from;
	__u64 to;		/* behind its end, if @sized, or as far as it surely goes */
	bool sized;
	const char *name;
	const char *module;	/* "": the kernel's own */
};

/* is it the kernel image's? A module's function may have the name of one of those. */
static inline bool symbol_is_core(const struct symbol *symbol)
{
	return !symbol->unloaded && !*symbol->module;
}

/* is it the tracer's own, which an NMI may interrupt? */
static inline bool symbol_is_tracer(const struct symbol *symbol)
{
	return !strcmp(symbol->module, "trace_irqoff");
}

struct symbols;

struct symbols *symbols_read(FILE *kallsyms, FILE *modules);
struct symbols *symbols_open(const char *kallsyms_path, const char *modules_path);
struct symbols *symbols_new(void);
void symbols_add(struct symbols *symbols, const struct code *code);
void symbols_sort(struct symbols *symbols);
bool symbols_code(const struct symbols *symbols, __u64 addr, struct code *code);
void symbols_close(struct symbols *symbols);
bool symbols_hidden(const struct symbols *symbols);
void *symbols_memo(const struct symbols *symbols);
void symbols_keep(const struct symbols *symbols, void *memo, void (*forget)(void *memo));
bool symbols_find(const struct symbols *symbols, __u64 addr, bool returns, struct symbol *symbol);
const char *print_function(char buf[SYMBOL_TEXT_LEN], const struct symbol *symbol);
const char *print_symbol(char buf[SYMBOL_TEXT_LEN], const struct symbol *symbol);

#endif /* _IRQOFF_SYMBOLS_H */
