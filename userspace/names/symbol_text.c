// SPDX-License-Identifier: GPL-2.0-only
/* A symbol as text, as the module prints it in /proc. */
#include <stdio.h>

#include "core/frame_rule.h"
#include "names/symbols.h"

/**
 * print_function() - "name" or "name [module]"
 * @buf: room
 * @symbol: a function
 *
 * Return: the text; where the function is not known, as print_symbol() has it.
 */
const char *print_function(char buf[SYMBOL_TEXT_LEN], const struct symbol *symbol)
{
	if (!*symbol->name)
		return print_symbol(buf, symbol);
	if (!*symbol->module)
		return symbol->name;
	snprintf(buf, SYMBOL_TEXT_LEN, "%s [%s]", symbol->name, symbol->module);
	return buf;
}

/* code that is gone, and whose function is not known */
static void print_place(char buf[SYMBOL_TEXT_LEN], const struct symbol *symbol)
{
	if (!*symbol->module)
		snprintf(buf, SYMBOL_TEXT_LEN, TIO_UNLOADED);
	else if (symbol->offset == NO_OFFSET)
		snprintf(buf, SYMBOL_TEXT_LEN, "[unloaded %s]", symbol->module);
	else
		snprintf(buf, SYMBOL_TEXT_LEN, "[%s]+0x%llx" TIO_UNLOADED_MARK, symbol->module,
			 symbol->offset);
}

/**
 * print_symbol() - a frame as the module prints it
 * @buf: room
 * @symbol: the frame
 *
 * Return: @buf.
 */
const char *print_symbol(char buf[SYMBOL_TEXT_LEN], const struct symbol *symbol)
{
	int len;

	if (!*symbol->name) {
		print_place(buf, symbol);
		return buf;
	}
	len = snprintf(buf, SYMBOL_TEXT_LEN, "%s+0x%llx", symbol->name, symbol->offset);
	if (symbol->size)
		len += snprintf(buf + len, SYMBOL_TEXT_LEN - len, "/0x%llx", symbol->size);
	if (*symbol->module)
		len += snprintf(buf + len, SYMBOL_TEXT_LEN - len, " [%s]", symbol->module);
	if (symbol->unloaded)
		snprintf(buf + len, SYMBOL_TEXT_LEN - len, TIO_UNLOADED_MARK);
	return buf;
}
