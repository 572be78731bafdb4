/* SPDX-License-Identifier: GPL-2.0-only */
/* Made-up records as a page, and a stream in memory to print it to. */
#ifndef _PAGE_H
#define _PAGE_H

#include "waiters.h"

#include "out.h"

extern struct collection collection;
extern FILE *out;
extern char *text;	/* what was printed, once @out is flushed */

int open_page(void **state);
int open_ends(void **state);
int open_victims(void **state);
int close_page(void **state);
struct page page(void);

/* the test closes @out and frees @text, as assert_golden() does */
#define test_page(test)	cmocka_unit_test_setup_teardown(test, open_page, close_page)
#define test_ends(test)	cmocka_unit_test_setup_teardown(test, open_ends, close_page)
#define test_victims(test)	cmocka_unit_test_setup_teardown(test, open_victims, close_page)

#endif /* _PAGE_H */
