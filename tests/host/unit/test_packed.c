// SPDX-License-Identifier: GPL-2.0-only
/* A report of packed records is that of the same records with their samples. */
#include "page.h"

#include <sys/mman.h>
#include <unistd.h>

#include "packed.h"
#include "summary.h"
#include "wire.h"

static char *print_report(struct collection *from, bool json, unsigned int by)
{
	struct page page = {
		.model = &from->model,
		.window = window_of(&from->model, 0, ~0ULL),
	};
	struct summary summary;
	char *printed = NULL;
	size_t len;

	page.out = open_memstream(&printed, &len);
	summary_build(&summary, &from->model, by, SUMMARY_TOTAL);
	report_select(&page.columns, by, summary.victims, NULL);
	if (json)
		json_report(&page, &summary);
	else
		text_report(&page, &summary);
	summary_free(&summary);
	fclose(page.out);
	return printed;
}

static void read_file(struct collection *read, int fd, bool grouped, bool rebased)
{
	struct filter filter = { .until_ns = ~0ULL, .grouped = grouped };
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(collect_capture(read, path, &filter), EXIT_DONE);
	if (rebased)
		model_rebase(&read->model);
	collect_pass(read, &filter);
}

static void assert_same_report(int fd, bool json, unsigned int by, bool rebased)
{
	struct collection packed, whole;
	char *of_packed, *of_whole;

	read_file(&packed, fd, true, rebased);
	read_file(&whole, fd, false, rebased);
	assert_true(packed.model.nentries);
	assert_true(packed.model.entries[0]->packed);
	assert_false(whole.model.entries[0]->packed);
	of_packed = print_report(&packed, json, by);
	of_whole = print_report(&whole, json, by);
	assert_string_equal(of_packed, of_whole);
	free(of_packed);
	free(of_whole);
	collect_free(&packed);
	collect_free(&whole);
}

/* of the page */
static void same_reports(void **state)
{
	const unsigned int all = (1U << SUMMARY_KEYS) - 1;
	int fd = memfd_create("capture", 0);
	size_t len;
	char *bytes = wire_capture(&collection, false, &len);

	(void)state;
	assert_int_equal(write(fd, bytes, len), len);
	free(bytes);
	for (unsigned int i = 0; i < 8; i++)
		assert_same_report(fd, i & 1, i & 2 ? all : SUMMARY_BY_DEFAULT, i & 4);
	close(fd);
	fclose(out);
	free(text);
}

/* what it has of its own stays, and what was found out */
static void opened(void **state)
{
	const __u64 now_ns = collection.model.config.now_ns;
	struct entry *entry, *whole, room;
	struct model packed = { 0 };

	(void)state;
	entry = collection.model.entries[0];
	entry->rec.end.at_ns = now_ns;
	entry->rec.end.delay_ns = 7;
	entry->rec.end.handler_ns = 8;
	entry->rec.end.regs = 9;
	entry->rec.end.pid = 99;
	model_add_packed(&packed, entry);
	whole = entry_open(&room, packed.entries[0]);
	assert_ptr_equal(whole, &room);
	assert_int_equal(whole->rec.end.at_ns, now_ns);
	assert_int_equal(whole->rec.end.delay_ns, 7);
	assert_int_equal(whole->rec.end.handler_ns, 8);
	assert_int_equal(whole->rec.end.regs, 9);
	assert_int_equal(whole->rec.end.pid, 99);
	whole->named_by = &whole->rec.end;
	whole->alone = true;
	entry_close(packed.entries[0], whole);
	assert_true(packed.entries[0]->alone);
	assert_ptr_equal(packed.entries[0]->named_by, entry_sample(packed.entries[0], TIO_END));
	assert_int_equal(entry_sampled_ns(packed.entries[0], TIO_END), now_ns);
	/* their owner is the page */
	packed.entries[0]->names = NULL;
	packed.entries[0]->shared = true;
	model_free(&packed);
	fclose(out);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_page(same_reports),
		test_ends(same_reports),
		test_victims(same_reports),
		test_page(opened),
	};

	return cmocka_run_group_tests_name("packed", tests, NULL, NULL);
}
