// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's answers, up to a whole dump: any bytes on a socket. */
#include "fuzz.h"

#include "answers.h"
#include "base/say.h"
#include "model/model.h"
#include "output/out.h"
#include "source/source.h"

/* the first byte of the input selects the request */
enum { CONFIG, RECORDS, NAMES, COUNTERS, HISTOGRAMS, SET, CLEAR, QUESTIONS };

static int ask(struct source *source, unsigned int question, struct model *model)
{
	struct knobs knobs = { .given[TIO_KNOB_PERIOD_US] = true };

	switch (question) {
	case CONFIG:
		return source_config(source, model);
	case RECORDS:
	case NAMES:
		return source_records(source, model, question == NAMES);
	case COUNTERS:
		return source_counters(source, model);
	case HISTOGRAMS:
		return source_histograms(source, model);
	case SET:
		return source_set(source, &knobs);
	default:
		return source_clear(source);
	}
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	struct input input = { data, size };
	unsigned int question = take_number(&input, 1) % QUESTIONS;
	struct source *source = answers_source(input.data, input.size);
	struct model model = { 0 };
	int status;

	/* libnl waits for more after an empty datagram */
	if (input.size) {
		status = ask(source, question, &model);
		promise(status == EXIT_DONE || status == EXIT_FAILED ||
			(status == EXIT_USAGE && question == SET));
		if (!status && question == CONFIG && model.config.cpus) {
			struct page page = { .model = &model, .out = nowhere() };

			status_select(&page.columns, &model, NULL);
			text_status(&page);
			json_status(&model, nowhere());
		}
	}
	source_close(source);
	model_free(&model);
	return 0;
}
