// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

struct collection collection;
FILE *out;
char *text;

static int open_with(void (*fill)(struct collection *collection))
{
	static size_t size;

	fill(&collection);
	out = open_memstream(&text, &size);
	return out ? 0 : -1;
}

int open_page(void **state)
{
	(void)state;
	return open_with(fixture_collect);
}

int open_ends(void **state)
{
	(void)state;
	return open_with(fixture_collect_ends);
}

int open_victims(void **state)
{
	(void)state;
	return open_with(fixture_collect_victims);
}

int close_page(void **state)
{
	(void)state;
	collect_free(&collection);
	return 0;
}

struct page page(void)
{
	return (struct page){
		.model = &collection.model,
		.symbols = collection.symbols,
		.window = window_of(&collection.model, 0, ~0ULL),
		.screen.width = 80,
		.out = out,
	};
}
