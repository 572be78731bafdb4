// SPDX-License-Identifier: GPL-2.0-only
/* What is printed of packed records is what is printed of the same records with their samples. */
#include "page.h"

#include <sys/mman.h>
#include <unistd.h>

#include "group/summary.h"
#include "judge/stacks.h"
#include "output/export.h"
#include "wire.h"

enum form { TEXT, JSON, STACKS, FOLDED, FORMS };

static void print_form(struct page *page, struct collection *from, enum form form,
		       unsigned int by)
{
	struct first_frames first = { .keys = { SUMMARY_CULPRIT }, .count = 1 };
	struct summary summary;
	struct stacks stacks;
	void *state;

	if (form == FOLDED) {
		state = folded_exporter.begin(page->out, &first);
		folded_exporter.add(state, page);
		folded_exporter.end(state);
		return;
	}
	summary_build(&summary, &from->model, by, SUMMARY_TOTAL);
	report_select(&page->columns, by, summary.victims, NULL);
	if (form == STACKS) {
		stacks_merge(&stacks, from->symbols, &from->model);
		text_stacks(page, &stacks, &summary);
		stacks_free(&stacks);
	} else if (form == JSON) {
		json_report(page, &summary);
	} else {
		text_report(page, &summary);
	}
	summary_free(&summary);
}

static char *form_of(struct collection *from, enum form form, unsigned int by)
{
	struct page page = {
		.model = &from->model,
		.symbols = from->symbols,
		.window = window_of(&from->model, 0, ~0ULL),
	};
	char *printed = NULL;
	size_t len;

	page.out = open_memstream(&printed, &len);
	print_form(&page, from, form, by);
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

static void assert_same_report(int fd, enum form form, unsigned int by, bool rebased)
{
	struct collection packed, whole;
	char *of_packed, *of_whole;

	read_file(&packed, fd, true, rebased);
	read_file(&whole, fd, false, rebased);
	assert_true(packed.model.nentries);
	assert_true(packed.model.entries[0]->packed);
	assert_false(whole.model.entries[0]->packed);
	of_packed = form_of(&packed, form, by);
	of_whole = form_of(&whole, form, by);
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

	assert_int_equal(write(fd, bytes, len), len);
	free(bytes);
	for (unsigned int i = 0; i < 4 * FORMS; i++)
		assert_same_report(fd, i / 4, i & 1 ? all : SUMMARY_BY_DEFAULT, i & 2);
	close(fd);
	fclose(out);
	free(text);
}

/* a record of any numbers */
static struct entry *any_record(unsigned int nsamples)
{
	static __u64 state = 88172645463325252ULL;
	static struct entry made, *entry = &made;
	unsigned char *bytes = (unsigned char *)&entry->rec;
	unsigned int bits = state % 65;

	for (size_t i = 0; i < offsetof(struct tio_record, end); i += 8) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		memcpy(bytes + i, &(__u64){ bits < 64 ? state >> bits : 0 }, 8);
	}
	entry->rec.nsamples = nsamples;
	entry->rec.end.at_ns = state >> bits % 64;
	entry->rec.end.delay_ns = entry->rec.max_ns;
	entry->rec.end.handler_ns = entry->rec.nested_ns;
	entry->rec.end.regs = state;
	for (unsigned int i = 0; i < nsamples; i++) {
		entry->rec.samples[i] = entry->rec.end;
		entry->rec.samples[i].at_ns -= 20 * MS * i;
		entry->rec.samples[i].pid = i;
		entry->rec.samples[i].regs = i;
		entry->rec.samples[i].lock = state >> i;
		entry->rec.samples[i].lock_kind = i;
		entry->rec.samples[i].lock_cpu = state >> 40;
	}
	return entry;
}

static struct entry *pack(struct model *packed, const struct entry *entry)
{
	model_add_packed(packed, entry);
	/* their owner is the page */
	packed->entries[packed->nentries - 1]->names = NULL;
	packed->entries[packed->nentries - 1]->found.shared = true;
	return packed->entries[packed->nentries - 1];
}

/* it is opened as it was packed, whatever its numbers are */
static void any_numbers(void **state)
{
	const size_t head = offsetof(struct tio_record, end);
	struct model packed = { 0 };
	struct tio_record rec;
	struct entry room;

	for (unsigned int round = 0; round < 1000; round++) {
		struct entry *entry = any_record(round % (TIO_SAMPLES + 1));
		struct entry *of = pack(&packed, entry), *whole = entry_open(&room, of);

		assert_ptr_equal(whole, &room);
		assert_memory_equal(&whole->rec, &entry->rec, head);
		assert_memory_equal(entry_record(&rec, of), &entry->rec, head);
		assert_memory_equal(&whole->rec.end, &entry->rec.end, sizeof(entry->rec.end));
		assert_int_equal(entry_sampled_ns(of, TIO_END), entry->rec.end.at_ns);
		for (unsigned int i = 0; i < entry->rec.nsamples; i++) {
			assert_memory_equal(&whole->rec.samples[i], &entry->rec.samples[i],
					    sizeof(entry->rec.end));
			assert_int_equal(entry_sampled_ns(of, i), entry->rec.samples[i].at_ns);
			assert_int_equal(entry_sample(of, i)->pid, i);
		}
	}
	model_free(&packed);
}

/* what was found out stays */
static void closed(void **state)
{
	struct model packed = { 0 };
	struct entry *whole, room;

	pack(&packed, collection.model.entries[0]);
	whole = entry_open(&room, packed.entries[0]);
	whole->found.named_by = 1 + TIO_END;
	whole->found.alone = true;
	whole->found.verdict.evidence = TIO_EVIDENCE_NONE;
	entry_close(packed.entries[0], whole);
	assert_true(packed.entries[0]->found.alone);
	assert_ptr_equal(entry_naming_sample(packed.entries[0]),
			 entry_sample(packed.entries[0], TIO_END));
	model_free(&packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_page(same_reports),
		test_ends(same_reports),
		test_victims(same_reports),
		test_locks(same_reports),
		test_collection(any_numbers),
		test_collection(closed),
	};

	return cmocka_run_group_tests_name("packed", tests, NULL, NULL);
}
