// SPDX-License-Identifier: GPL-2.0-only
#include "correlate/correlate.h"
#include "output/out.h"
#include "output/table.h"

static const char *text_delay(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct delay *delay = data;

	(void)page;
	return print_ms(buf, delay->all_ns);
}

static const char *text_delayed(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct delay *delay = data;

	(void)page;
	snprintf(buf, CELL_LEN, "%zu", delay->replies);
	return buf;
}

static const char *text_longest(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct delay *delay = data;

	(void)page;
	return print_ms(buf, delay->longest_ns);
}

static const char *text_culprit_of(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct delay *delay = data;

	(void)buf;
	(void)page;
	if (delay->suspect->lock)
		return delay->suspect->lock;
	return delay->suspect->culprit ? delay->suspect->culprit : "(unknown)";
}

static const char *text_class_of(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct delay *delay = data;

	(void)buf;
	(void)page;
	return tio_class_name(delay->suspect->class);
}

static const char *text_behalf_of(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct delay *delay = data;

	(void)buf;
	(void)page;
	return delay->suspect->behalf ? delay->suspect->behalf : "";
}

static const struct column delay_columns[] = {
	{ "delay", "DELAY ms", COLUMN_NUMBER, text_delay },
	{ "replies", "REPLIES", COLUMN_NUMBER, text_delayed },
	{ "longest", "LONGEST ms", COLUMN_NUMBER, text_longest },
	{ "class", "CLASS", COLUMN_CLASS, text_class_of },
	{ "culprit", "CULPRIT", COLUMN_CUT | COLUMN_CULPRIT, text_culprit_of },
	{ "behalf", "RAN FOR", COLUMN_CUT, text_behalf_of },
	{ 0 }
};

/**
 * text_delays() - the culprits, the one that delayed replies most first
 * @page: the page
 * @correlation: has verdicts
 */
void text_delays(const struct page *page, const struct correlation *correlation)
{
	struct page part = *page;
	struct table *table;

	if (!correlation->ndelays)
		return;
	columns_select(&part.columns, delay_columns,
		       "delay,replies,longest,class,culprit,behalf", NULL);
	fputc('\n', page->out);
	table = table_open(&part, false);
	for (size_t i = 0; i < correlation->ndelays; i++)
		table_add(table, NULL, &correlation->delays[i]);
	table_print(table);
}
