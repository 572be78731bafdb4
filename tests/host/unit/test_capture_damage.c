// SPDX-License-Identifier: GPL-2.0-only
/* Captures that are cut off, damaged, still written, or none. */
#include "captured.h"

#include <netlink/msg.h>
#include <sys/file.h>
#include <unistd.h>
#include <zstd.h>

#include "alibi/alibi.h"
#include "judge/judge.h"
#include "wire.h"

/* how many of the records it has are those of the whole capture, in order of the file */
static void assert_prefix(const struct collection *read, const struct collection *whole)
{
	for (size_t i = 0; i < read->model.nentries; i++) {
		const struct tio_record *rec = &read->model.entries[i]->rec;
		const struct entry *found = NULL;

		for (size_t k = 0; k < whole->model.nentries && !found; k++)
			if (!memcmp(&whole->model.entries[k]->rec.end_ns, &rec->end_ns,
				    sizeof(rec->end_ns)) &&
			    whole->model.entries[k]->rec.cpu == rec->cpu)
				found = whole->model.entries[k];
		assert_non_null(found);
		assert_int_equal(found->rec.min_ns, rec->min_ns);
		assert_string_equal(found->found.culprit ? found->found.culprit : "",
				    read->model.entries[i]->found.culprit ?
				    read->model.entries[i]->found.culprit : "");
	}
}

/* so many that their frame has several blocks */
static void add_many(unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		struct entry *entry = add_hard(&collection.model, 3, 1000 + i,
					       NOW_NS - 50000 * MS + i * 13 * MS, 12 * MS);

		set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + i % 0xf00,
			  AT_SYSCALL + 1 + i % 0x700, 0ULL);
	}
	judge_records(collection.symbols, &collection.model);
}

/* one sentence, and the records that were there */
static size_t assert_cut(size_t at)
{
	struct collection read;
	int ret = collect_bytes(&read, capture, at);
	size_t count = read.model.nentries;

	assert_true(*said && strchr(said, '\n') == said + strlen(said) - 1);
	if (ret) {
		assert_int_equal(ret, EXIT_FAILED);
		assert_non_null(strstr(said, at ? "FILE is cut off before its first records" :
						  "FILE is empty; "));
		assert_int_equal(count, 0);
	} else {
		assert_true(read.model.received.damaged);
		assert_non_null(strstr(said, "FILE is cut off, so records may be missing"));
		pass_all(&read);
		assert_prefix(&read, &collection);
	}
	collect_free(&read);
	return count;
}

static void cut_at_every_byte(void **state)
{
	size_t count = 0;

	capture = wire_capture(&collection, false, &capture_len);
	for (size_t at = 0; at < capture_len; at++) {
		size_t now = assert_cut(at);

		assert_true(now >= count);
		count = now;
	}
	assert_int_equal(count, collection.model.nentries);
	free(capture);
}

/* a cut loses what is behind it, not all of the frame */
static void cut_in_a_frame(void **state)
{
	size_t different = 0, last = 0;

	add_many(2000);
	capture = wire_capture(&collection, false, &capture_len);
	for (size_t at = 0; at < capture_len; at += 499) {
		size_t now = assert_cut(at);

		different += now != last;
		last = now;
	}
	assert_true(different > 3);
	free(capture);
}

/* a frame whose checksum is wrong is not used; a few bits of the packed form say nothing */
static void every_byte_wrong(void **state)
{
	size_t unnoticed = 0;

	capture = wire_capture(&collection, false, &capture_len);
	for (size_t at = 0; at < capture_len; at++) {
		struct collection read;
		int ret;

		capture[at] ^= 0x41;
		ret = collect_bytes(&read, capture, capture_len);
		capture[at] ^= 0x41;
		if (!ret) {
			pass_all(&read);
			assert_prefix(&read, &collection);
		}
		if (ret || read.model.received.damaged) {
			assert_true(*said && strchr(said, '\n') == said + strlen(said) - 1);
		} else {
			assert_int_equal(read.model.nentries, collection.model.nentries);
			unnoticed++;
		}
		collect_free(&read);
	}
	assert_in_range(unnoticed, 0, 10);
	free(capture);
}

static void assert_foreign(const void *bytes, size_t len)
{
	struct collection read;

	assert_int_equal(collect_bytes(&read, bytes, len), EXIT_FAILED);
	assert_string_equal(said, "irqoff: FILE is no capture of irqoff\n");
	collect_free(&read);
}

static void garbage(void **state)
{
	static const char words[] = "PERFILE2 and so on, for longer than any head of a message";
	char packed[256];
	size_t len = ZSTD_compress(packed, sizeof(packed), words, sizeof(words), 3);

	assert_false(ZSTD_isError(len));
	assert_foreign(words, sizeof(words));
	assert_foreign(packed, len);
	len = ZSTD_compress(packed, sizeof(packed), words, 7, 3);
	assert_foreign(packed, len);
}

static void assert_says(const struct collection *read, const char *text, bool wanted)
{
	struct page page = {
		.model = &read->model, .window = window_of(&read->model, 0, ~0ULL),
	};
	struct summary summary;
	char *printed;
	size_t size;

	page.out = open_memstream(&printed, &size);
	summary_build(&summary, &read->model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	if (read->model.nentries) {
		report_select(&page.columns, summary.by, summary.victims, NULL);
		text_report(&page, &summary);
	} else {
		text_share(&page, &summary);
	}
	summary_free(&summary);
	fclose(page.out);
	if (!strstr(printed, text) == wanted)
		fail_msg("%s", printed);
	free(printed);
}

/* a CPU's records and its counters */
static void assert_told(const struct collection *read, bool *lacked)
{
	const struct received *received = &read->model.received;
	size_t ended = 0;

	for (size_t i = 0; i < read->model.nentries; i++)
		ended += !read->model.entries[i]->rec.open;
	assert_true(received->cut);
	if (received->no_counters) {
		assert_int_equal(ended + received->missing, 0);
		assert_says(read, "how many records are missing is not known", true);
		return;
	}
	assert_int_equal(read->model.ncounters, collection.model.ncounters);
	assert_int_equal(ended + received->missing, model_counters_sum(&read->model).kept);
	if (!received->no_histograms)
		assert_int_equal(read->model.nhistograms, collection.model.nhistograms);
	assert_says(read, " missing; 6 records overwritten", received->missing);
	if (received->missing)
		assert_says(read, "no rates", read->model.nentries);
	*lacked |= received->missing && read->model.nentries;
}

/* whatever is cut off, nothing is said of what is not there */
static void tells_what_is_missing(void **state)
{
	bool uncounted = false, undrawn = false, lacked = false;

	capture = wire_capture(&collection, false, &capture_len);
	frame_each();
	for (size_t at = 0; at < capture_len; at += 3) {
		struct collection read;

		if (!collect_bytes(&read, capture, at)) {
			assert_told(&read, &lacked);
			uncounted |= read.model.received.no_counters && read.model.ncounters;
			undrawn |= read.model.received.no_histograms && read.model.nhistograms;
		}
		collect_free(&read);
	}
	assert_true(uncounted && undrawn && lacked);
	free(capture);
}

/* nobody takes one that somebody still writes for one that is cut off, or for an old module's */
static void grows_in_counters(void **state)
{
	char path[] = "/tmp/irqoff-grows-XXXXXX";
	struct filter filter;
	int fd = mkstemp(path);
	bool grew = false;

	filter_init(&filter);
	capture = wire_capture(&collection, false, &capture_len);
	frame_each();
	assert_int_equal(flock(fd, LOCK_EX), 0);
	for (size_t at = 0; at < capture_len; at += 3) {
		struct alibi alibi = { .to_ns = ~0ULL };
		struct alibi_book book;
		struct collection read;

		assert_int_equal(ftruncate(fd, at), 0);
		assert_int_equal(pwrite(fd, capture, at, 0), at);
		if (!collect_capture(&read, path, NULL) && read.model.received.no_counters) {
			alibi.damaged = read.model.received.damaged;
			alibi_open(&book, &read.model, &filter);
			alibi_ask(&alibi, &book);
			alibi_close(&book);
			assert_int_equal(alibi.gap, ALIBI_GROWING);
			alibi_free(&alibi);
			grew = true;
		}
		collect_free(&read);
	}
	assert_true(grew);
	close(fd);
	unlink(path);
	filter_free(&filter);
	free(capture);
}

/* zstd passes over such a frame; it makes a file longer, and nothing else */
static void put_nothing(size_t len)
{
	const __u32 head[] = { 0x184d2a50, len };
	char *bytes = calloc(1, len);

	capture_end_frame(writer);
	fwrite(head, sizeof(head), 1, written);
	fwrite(bytes, len, 1, written);
	free(bytes);
}

/* a record so often that it takes more than @memory */
static void put_many(size_t memory)
{
	struct nl_msg *msg = wire_record(collection.model.entries[0]);

	for (size_t taken = 0; taken <= memory; taken += offsetof(struct entry, rec.samples))
		capture_put(writer, nlmsg_hdr(msg));
	nlmsg_free(msg);
}

/* few bytes that become very many are no capture that was ever written */
static void bomb(void **state)
{
	struct collection read;

	begin_capture();
	put_many(CAPTURE_MEMORY);
	assert_true(capture_writer_close(writer));
	fclose(written);
	assert_in_range(capture_len, 0, CAPTURE_MEMORY / CAPTURE_MEMORY_TIMES / 4);
	assert_int_equal(collect_bytes(&read, capture, capture_len), EXIT_FAILED);
	assert_non_null(strstr(said, "FILE has few bytes that become very many, over 320 MiB"));
	assert_int_equal(read.model.nentries, 0);
	free(capture);
	collect_free(&read);
}

/* a long file may have as much as that */
static void long_file(void **state)
{
	begin_capture();
	put_nothing(CAPTURE_MEMORY / CAPTURE_MEMORY_TIMES * 2);
	put_many(CAPTURE_MEMORY);
	finish_capture();
	assert_int_equal(collection.model.nentries, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_collection(cut_at_every_byte),
		test_collection(cut_in_a_frame),
		test_collection(every_byte_wrong),
		cmocka_unit_test(garbage),
		test_collection(tells_what_is_missing),
		test_collection(grows_in_counters),
		test_collection(bomb),
		test_collection(long_file),
	};

	return cmocka_run_group_tests_name("damage of captures", tests, NULL, NULL);
}
