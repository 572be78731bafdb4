/* SPDX-License-Identifier: GPL-2.0-only */
/* A page of made-up records, and a stream in memory to print it to. */
#ifndef _PAGE_H
#define _PAGE_H

#include "locks.h"
#include "waiters.h"

#include "output/out.h"

extern struct collection collection;
extern FILE *out;
extern char *text;	/* the printed text, after @out is flushed */

int open_collection(void **state);	/* no stream */
int open_page(void **state);
int open_ends(void **state);
int open_victims(void **state);
int open_locks(void **state);
int open_regular(void **state);
int close_page(void **state);
struct page page(void);	/* with all that -v prints */

/* groups of the page's records, as text or JSON; NULL stands for the usual columns */
void report_page(struct page *printed, unsigned int by, const char *columns, bool json);
void print_report(bool json);
void print_list(bool verbose);
void print_json_list(void);
void print_status(void);

/* the test closes @out and frees @text, or lets assert_golden() do so */
#define test_collection(test)	\
	cmocka_unit_test_setup_teardown(test, open_collection, close_page)
#define test_page(test)	cmocka_unit_test_setup_teardown(test, open_page, close_page)
#define test_ends(test)	cmocka_unit_test_setup_teardown(test, open_ends, close_page)
#define test_victims(test)	cmocka_unit_test_setup_teardown(test, open_victims, close_page)
#define test_locks(test)	cmocka_unit_test_setup_teardown(test, open_locks, close_page)
#define test_regular(test)	cmocka_unit_test_setup_teardown(test, open_regular, close_page)

#endif /* _PAGE_H */
