// SPDX-License-Identifier: GPL-2.0-only
/* Captures: the same output as on the node, and without what --strip leaves out. */
#include "captured.h"

#include "capture/strip.h"
#include "wire.h"

/* puts what a capture of the page's records holds into their place */
static void through_capture(bool strip)
{
	struct collection read;

	capture = wire_capture(&collection, strip, &capture_len);
	assert_int_equal(collect_bytes(&read, capture, capture_len), EXIT_DONE);
	assert_string_equal(said, "");
	assert_false(read.model.received.damaged);
	pass_all(&read);
	free(capture);
	collect_free(&collection);
	collection = read;
}

static void json_of_list(void **state)
{
	through_capture(false);
	print_json_list();
	assert_golden("list.json", out, &text);
}

static void json_of_report(void **state)
{
	through_capture(false);
	print_report(true);
	assert_golden("report.json", out, &text);
}

static void json_of_hist(void **state)
{
	through_capture(false);
	json_hist(&collection.model, true, out);
	assert_golden("hist.json", out, &text);
}

static void json_of_cleared_hist(void **state)
{
	fixture_clear(&collection.model);
	through_capture(false);
	assert_int_equal(model_loaded_sum(&collection.model).hard.count, 82);
	json_hist(&collection.model, true, out);
	assert_golden("hist-cleared.json", out, &text);
}

static void json_of_status(void **state)
{
	through_capture(false);
	json_status(&collection.model, out);
	assert_golden("status.json", out, &text);
}

/* on the node the same sentences speak of now */
static void text_of_list(void **state)
{
	through_capture(false);
	collection.model.saved = false;
	print_list(true);
	assert_golden("list-v.txt", out, &text);
}

static void text_of_ends(void **state)
{
	through_capture(false);
	collection.model.saved = false;
	print_list(true);
	assert_golden("list-v-ends.txt", out, &text);
}

static void text_of_victims(void **state)
{
	through_capture(false);
	collection.model.saved = false;
	print_list(true);
	assert_golden("list-v-victims.txt", out, &text);
}

static void saved_report(void **state)
{
	through_capture(false);
	print_report(false);
	assert_golden("report-saved.txt", out, &text);
}

static void saved_status(void **state)
{
	fixture_stop(&collection.model, TRACE_IRQOFF_STOP_COST);
	through_capture(false);
	print_status();
	assert_golden("status-saved.txt", out, &text);
}

static bool holds(const char *text)
{
	size_t len;
	char *bytes = unpack_capture(&len);
	bool found = memmem(bytes, len, text, strlen(text));

	free(bytes);
	return found;
}

/* the module has hidden addresses from whoever strips; here the made-up ones stay */
static void strips(void **state)
{
	capture = wire_capture(&collection, false, &capture_len);
	assert_true(holds("kubelet") && holds("node-7") && holds("kubepods") && holds("innocent"));
	assert_true(holds("memory_stat_format"));
	free(capture);
	capture = wire_capture(&collection, true, &capture_len);
	assert_false(holds("kubelet") || holds("node-7") || holds("kubepods") || holds("innocent"));
	assert_true(holds("memory_stat_format"));
	free(capture);
	through_capture(true);
	for (size_t i = 0; i < collection.model.nentries; i++) {
		const struct tio_record *rec = &collection.model.entries[i]->rec;

		assert_string_equal(rec->end.comm, rec->open ? "" : STRIPPED_COMM);
		assert_int_equal(rec->end.cgroup_id, 0);
	}
	print_report(false);
	assert_golden("report-stripped.txt", out, &text);
}

/* a capture that still has addresses is not given out as a stripped one */
static void strip_needs_hidden_addresses(void **state)
{
	assert_int_equal(strip_check(&collection.model), EXIT_FAILED);
	for (size_t i = 0; i < collection.model.nentries; i++) {
		struct tio_record *rec = &collection.model.entries[i]->rec;

		rec->nmi_handler = 0;
		rec->end.nframes = 0;
		for (unsigned int k = 0; k < rec->nsamples; k++)
			rec->samples[k].nframes = 0;
	}
	assert_int_equal(strip_check(&collection.model), EXIT_DONE);
	collection.model.entries[0]->rec.nmi_handler = AT_NOTHING;
	assert_int_equal(strip_check(&collection.model), EXIT_FAILED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_page(json_of_list),
		test_page(json_of_report),
		test_page(json_of_hist),
		test_page(json_of_cleared_hist),
		test_page(json_of_status),
		test_page(text_of_list),
		test_ends(text_of_ends),
		test_victims(text_of_victims),
		test_page(saved_report),
		test_page(saved_status),
		test_page(strips),
		test_collection(strip_needs_hidden_addresses),
	};

	return cmocka_run_group_tests_name("capture", tests, NULL, NULL);
}
