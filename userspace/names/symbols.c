// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "core/frame_rule.h"
#include "model/labels.h"
#include "names/symbols.h"

/*
 * The size that code is taken to have where neither a next symbol nor its module
 * bounds it. That is so for eBPF programs, whose size is in no file.
 */
#define REACH	65536

/* a module shares no page with other code, and no page is smaller than this */
#define PAGE	4096

struct module {
	char name[64];
	__u64 base;
	__u64 end;
};

struct name {
	__u64 addr;
	__u64 end;		/* 0: as code_end() finds it, with @sized */
	size_t text;		/* offset in texts */
	unsigned int order;	/* in the file */
	short module;		/* index, CORE, IMAGE or PERCPU; never UNLOADED */
	bool sized;
	short rank;		/* the lowest one of an address is its name */
};

enum { CORE = -1, IMAGE = -2, UNLOADED = -3, PERCPU = -4 };

/* x86 before v6.15: a per-CPU variable has its offset in each CPU's part of memory */
#define OFFSETS	0x1000000ULL

/*
 * Code of the kernel itself. Init code has been freed, but it is still on the stack of
 * the first CPU's idle task, and no other code is ever put at its addresses.
 */
enum { TEXT, INIT_TEXT, SECTIONS };

static const char * const edges[SECTIONS][2] = {
	[TEXT]		= { "_stext", "_etext" },
	[INIT_TEXT]	= { "_sinittext", "_einittext" },
};

struct section {
	__u64 start;		/* 0: not known */
	__u64 end;
};

struct symbols {
	struct name *names;
	size_t nnames;
	char *texts;		/* "name", or "name\0module" for an IMAGE */
	size_t used;
	size_t room;
	struct module *modules;
	size_t nmodules;
	struct section sections[SECTIONS];	/* of the kernel itself */
	bool shown;
	struct memo *memo;
};

/* what somebody works out of the names, and who frees it */
struct memo {
	void *bytes;
	void (*forget)(void *bytes);
};

static bool starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static bool ends(const char *text, const char *suffix)
{
	size_t len = strlen(text), tail = strlen(suffix);

	return len >= tail && !strcmp(text + len - tail, suffix);
}

/* names that linker scripts define for the edges of sections */
static bool linker_made(const char *name)
{
	return starts(name, "__") && (starts(name, "__start_") || starts(name, "__stop_") ||
				      starts(name, "__end_") || ends(name, "_start") ||
				      ends(name, "_end"));
}

/* mapping symbols ($x, $d.1: arm64) and labels, which the kernel skips too */
static bool no_name(const char *name)
{
	return starts(name, ".L") ||
	       (*name == '$' && name[1] && strchr("adtx", name[1]) && (!name[2] || name[2] == '.'));
}

/*
 * Ranks the names of one address; the lowest rank is printed. The order is that of the
 * kernel's scripts/kallsyms.c, but prefixed aliases of the same code come last.
 */
static short rank(const char *name, char type)
{
	size_t underscores = strspn(name, "_");
	short points = (underscores < 15 ? underscores : 15) << 1;

	if (starts(name, "__pi_") || starts(name, "__cfi_") || starts(name, "__pfx_"))
		points += 1 << 8;
	if (type == 'w' || type == 'W')
		points += 1 << 7;
	if (linker_made(name))
		points += 1 << 6;
	if (type == 't' || type == 'w')
		points += 1;
	return points;
}

static size_t keep_text(struct symbols *symbols, const char *text)
{
	size_t len = strlen(text) + 1, at = symbols->used;

	while (symbols->used + len > symbols->room) {
		symbols->room = symbols->room ? 2 * symbols->room : 1 << 20;
		symbols->texts = or_exit(realloc(symbols->texts, symbols->room));
	}
	memcpy(symbols->texts + at, text, len);
	symbols->used += len;
	return at;
}

static void read_modules(struct symbols *symbols, FILE *file)
{
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, file) > 0) {
		struct module *module;
		__u64 base, size;
		char name[64];

		if (sscanf(line, "%63s %llu %*s %*s %*s %llx", name, &size, &base) != 3 || !base)
			continue;
		symbols->modules = grow(symbols->modules, symbols->nmodules, sizeof(*module));
		module = &symbols->modules[symbols->nmodules++];
		*module = (struct module){ .base = base, .end = base + size };
		memcpy(module->name, printable(name), sizeof(name));
	}
	free(line);
}

/* which module "[name]" is; UNLOADED where it is not loaded any more */
static int find_module(const struct symbols *symbols, const char *name)
{
	if (!*name)
		return CORE;
	for (size_t i = 0; i < symbols->nmodules; i++)
		if (!strcmp(symbols->modules[i].name, name))
			return i;
	return !strcmp(name, "bpf") || starts(name, "__builtin__") ? IMAGE : UNLOADED;
}

static void read_edge(struct symbols *symbols, const char *name, __u64 addr)
{
	for (unsigned int i = 0; i < SECTIONS; i++) {
		if (!strcmp(name, edges[i][0]))
			symbols->sections[i].start = addr;
		if (!strcmp(name, edges[i][1]))
			symbols->sections[i].end = addr;
	}
}

/* whose a symbol is; UNLOADED: it is neither a function nor a per-CPU variable of the kernel */
static int find_owner(const struct symbols *symbols, char type, __u64 addr, const char *module)
{
	if (type == 'A' && !*module && addr < OFFSETS)
		return PERCPU;
	return strchr("tTwW", type) ? find_module(symbols, module) : UNLOADED;
}

/* "ffffffffc0000000 t name\t[module]"; a name may have any length */
static void read_symbol(struct symbols *symbols, char *line, unsigned int order)
{
	char *name, *module = "", *end;
	__u64 addr = strtoull(line, &end, 16);
	struct name *found;
	int index;
	char type;

	if (*end != ' ' || !end[1] || end[2] != ' ')
		return;
	type = end[1];
	name = end + 3;
	end = name + strcspn(name, " \t\n");
	if (*end == '\t' || *end == ' ') {
		char *open = strchr(end + 1, '['), *close = open ? strchr(open, ']') : NULL;

		if (close) {
			*close = '\0';
			module = open + 1;
		}
	}
	*end = '\0';
	printable(name);
	printable(module);
	if (!addr || !*name || no_name(name))
		return;
	symbols->shown = true;
	if (!*module)
		read_edge(symbols, name, addr);
	index = find_owner(symbols, type, addr, module);
	if (index == UNLOADED)
		return;

	symbols->names = grow(symbols->names, symbols->nnames, sizeof(*found));
	found = &symbols->names[symbols->nnames++];
	*found = (struct name){
		.addr = addr,
		.text = keep_text(symbols, name),
		.order = order,
		.module = index,
		.rank = rank(name, type),
	};
	if (index == IMAGE)
		keep_text(symbols, strcmp(module, "bpf") ? module : TIO_BPF_MARK);
}

static int by_address(const void *a, const void *b)
{
	const struct name *left = a, *right = b;

	if (left->addr != right->addr)
		return left->addr < right->addr ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank - right->rank;
	return left->order < right->order ? -1 : 1;
}

/**
 * symbols_read() - read all names of functions, and those of per-CPU variables without addresses
 * @kallsyms: as /proc/kallsyms; NULL: could not be opened
 * @modules: as /proc/modules, likewise
 *
 * Return: the names; there are none where the files cannot be read to their
 * ends or where the kernel hides addresses.
 */
struct symbols *symbols_read(FILE *kallsyms, FILE *modules)
{
	struct symbols *symbols = alloc(1, sizeof(*symbols));
	bool whole = modules && kallsyms;
	unsigned int order = 0;
	char *line = NULL;
	size_t room = 0;

	symbols->memo = alloc(1, sizeof(*symbols->memo));
	if (modules) {
		read_modules(symbols, modules);
		whole = whole && feof(modules);
	}
	if (kallsyms) {
		while (getline(&line, &room, kallsyms) > 0)
			read_symbol(symbols, line, order++);
		whole = whole && feof(kallsyms);
	}
	free(line);
	/* with a part of the names, an address would get another function's name */
	if (!whole) {
		symbols->nnames = 0;
		symbols->shown = false;
	}
	symbols_sort(symbols);
	return symbols;
}

/* names without a file; symbols_add() adds them */
struct symbols *symbols_new(void)
{
	struct symbols *symbols = alloc(1, sizeof(*symbols));

	symbols->memo = alloc(1, sizeof(*symbols->memo));
	return symbols;
}

/**
 * symbols_add() - add a function that symbols_code() gave
 * @symbols: from symbols_new(); wants symbols_sort() before a search
 * @code: the function
 */
void symbols_add(struct symbols *symbols, const struct code *code)
{
	symbols->names = grow(symbols->names, symbols->nnames, sizeof(*symbols->names));
	symbols->names[symbols->nnames] = (struct name){
		.addr = code->from,
		.end = code->to,
		.sized = code->sized,
		.text = keep_text(symbols, code->name),
		.order = symbols->nnames,
		.module = *code->module ? IMAGE : CORE,
	};
	symbols->nnames++;
	if (*code->module)
		keep_text(symbols, code->module);
}

void symbols_sort(struct symbols *symbols)
{
	if (symbols->nnames)
		qsort(symbols->names, symbols->nnames, sizeof(*symbols->names), by_address);
}

/**
 * symbols_open() - read all names of functions, by the files' paths
 * @kallsyms_path: /proc/kallsyms
 * @modules_path: /proc/modules
 *
 * Return: the names, as symbols_read() has them.
 */
struct symbols *symbols_open(const char *kallsyms_path, const char *modules_path)
{
	FILE *modules = fopen(modules_path, "re");
	FILE *kallsyms = fopen(kallsyms_path, "re");
	struct symbols *symbols = symbols_read(kallsyms, modules);

	if (modules)
		fclose(modules);
	if (kallsyms)
		fclose(kallsyms);
	return symbols;
}

void symbols_close(struct symbols *symbols)
{
	if (!symbols)
		return;
	if (symbols->memo->bytes)
		symbols->memo->forget(symbols->memo->bytes);
	free(symbols->memo);
	free(symbols->names);
	free(symbols->texts);
	free(symbols->modules);
	free(symbols);
}

/**
 * symbols_memo() - what somebody keeps with the names
 * @symbols: from symbols_open()
 *
 * Return: what symbols_keep() was told; NULL before.
 */
void *symbols_memo(const struct symbols *symbols)
{
	return symbols->memo->bytes;
}

/**
 * symbols_keep() - keep what somebody works out of the names for as long as they live
 * @symbols: from symbols_open(); keeps nothing yet
 * @memo: what to keep
 * @forget: frees it
 */
void symbols_keep(const struct symbols *symbols, void *memo, void (*forget)(void *memo))
{
	*symbols->memo = (struct memo){ .bytes = memo, .forget = forget };
}

/**
 * symbols_hidden() - does the kernel hide its addresses?
 * @symbols: from symbols_open()
 *
 * Return: true where names must come from the module.
 */
bool symbols_hidden(const struct symbols *symbols)
{
	return !symbols->shown;
}

/* 0 where @addr is no code of the kernel itself */
static __u64 section_end(const struct symbols *symbols, __u64 addr)
{
	for (unsigned int i = 0; i < SECTIONS; i++) {
		const struct section *section = &symbols->sections[i];

		if (section->start && addr >= section->start && addr < section->end)
			return section->end;
	}
	return 0;
}

/*
 * Where the code of the name at @i ends; 0 where the name is not one of code. @known: is
 * that the function's end, or only as far as it surely goes?
 *
 * Since v6.4 a module is several ranges, of which /proc/modules has the first one's
 * address with the size of all together. So nothing says where the last function ends,
 * and other code, or code that is gone, may lie right behind it.
 */
static __u64 code_end(const struct symbols *symbols, size_t i, bool *known)
{
	const struct name *name = &symbols->names[i];
	__u64 end = name->addr + REACH;
	size_t next = i;

	if (name->end) {
		*known = name->sized;
		return name->end;
	}
	*known = false;
	if (name->module >= 0) {
		if (name->addr < symbols->modules[name->module].base)
			return 0;
		end = symbols->modules[name->module].end;
	} else if (name->module == CORE && symbols->sections[TEXT].end) {
		end = section_end(symbols, name->addr);
		*known = true;
	}
	while (next < symbols->nnames && symbols->names[next].addr == name->addr)
		next++;
	if (next < symbols->nnames && symbols->names[next].addr < end) {
		end = symbols->names[next].addr;
		*known = true;
	}
	if (name->module >= 0 && !(*known && symbols->names[next].module == name->module)) {
		__u64 page_end = (name->addr | (PAGE - 1)) + 1;

		*known = *known && end <= page_end;
		end = end < page_end ? end : page_end;
	}
	return end;
}

/* the first name of the highest address that is not above @addr */
static bool find_name(const struct symbols *symbols, __u64 addr, size_t *found)
{
	size_t low = lower_bound(0, symbols->nnames, i, symbols->names[i].addr <= addr);

	if (!low)
		return false;
	for (low--; low && symbols->names[low - 1].addr == symbols->names[low].addr; low--)
		;
	*found = low;
	return true;
}

/**
 * symbols_code() - the function that an address lies in
 * @symbols: from symbols_open()
 * @addr: the address
 * @code: the result, whose texts live as long as @symbols
 *
 * Return: true where there is one.
 */
bool symbols_code(const struct symbols *symbols, __u64 addr, struct code *code)
{
	const struct name *name;
	size_t i;

	if (!find_name(symbols, addr, &i))
		return false;
	name = &symbols->names[i];
	*code = (struct code){
		.from = name->addr,
		.name = symbols->texts + name->text,
		.module = "",
	};
	code->to = code_end(symbols, i, &code->sized);
	if (name->module == IMAGE)
		code->module = code->name + strlen(code->name) + 1;
	else if (name->module >= 0)
		code->module = symbols->modules[name->module].name;
	return addr < code->to;
}

/**
 * symbols_find() - the name of an address
 * @symbols: from symbols_open()
 * @addr: the address
 * @returns: it is a return address
 * @symbol: the result; all zero before
 *
 * Return: true where there is a name.
 */
bool symbols_find(const struct symbols *symbols, __u64 addr, bool returns, struct symbol *symbol)
{
	struct code code;

	/* a return address may lie behind the end of the function that called */
	if (!symbols_code(symbols, addr - returns, &code))
		return false;
	fill_text(symbol->name, sizeof(symbol->name), code.name);
	fill_text(symbol->module, sizeof(symbol->module), code.module);
	symbol->offset = addr - code.from;
	symbol->size = code.sized ? code.to - code.from : 0;
	return true;
}
