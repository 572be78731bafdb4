// SPDX-License-Identifier: GPL-2.0-only
/* /proc/modules, /proc/kallsyms, and a name from the module. */
#include "fuzz.h"

#include <string.h>

#include "names/frame.h"
#include "names/symbols.h"

#define MOST_ADDRESSES	64

static void find(const struct symbols *symbols, __u64 addr, bool returns)
{
	struct symbol symbol = { 0 };
	char text[SYMBOL_TEXT_LEN];

	if (!symbols_find(symbols, addr, returns, &symbol))
		return;
	promise(!symbols_hidden(symbols));
	promise(*symbol.name && symbol.offset <= addr);
	promise(!symbol.size || symbol.offset - returns < symbol.size);
	print_symbol(text, &symbol);
	promise(!strncmp(text, symbol.name, strlen(symbol.name)));
}

/* a frame that neither file names, with the module's name @text */
static void frame(const struct symbols *symbols, char *text)
{
	struct kernel_name name = { .addr = 0x1000, .symbol = text };
	const __u64 frames[] = { name.addr, name.addr };
	struct entry entry = {
		.names = &name,
		.nnames = 1,
		.rec.end = { .nframes = 2, .frames = frames },
	};
	char printed[SYMBOL_TEXT_LEN];
	struct symbol symbol;

	for (unsigned int i = 0; i < 4; i++) {
		/* the second time what is there now came later */
		entry.rec.end.stale = i < 2 ? 0 : 3;
		frame_symbol(symbols, &entry, &entry.rec.end, i % 2, &symbol);
		promise(symbol.unloaded || *symbol.name);
		promise(symbol.unloaded || i < 2);
		print_symbol(printed, &symbol);
		promise(*printed && *print_function(printed, &symbol));
	}
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	struct input input = { data, size };
	struct input name = take_until(&input, BETWEEN), modules = take_until(&input, BETWEEN);
	FILE *modules_file = file_of(modules), *kallsyms_file = file_of(input);
	struct symbols *symbols = symbols_read(kallsyms_file, modules_file);
	char *text = text_of(name);

	fclose(modules_file);
	fclose(kallsyms_file);
	for (unsigned int i = 0; i < MOST_ADDRESSES && input.size; i++) {
		char *line = text_of(take_until(&input, '\n'));
		__u64 addr = strtoull(line, NULL, 16);

		free(line);
		for (unsigned int step = 0; step < 6; step++)
			find(symbols, addr - 1 + step / 2, step % 2);
	}
	frame(symbols, text);
	free(text);
	symbols_close(symbols);
	return 0;
}
