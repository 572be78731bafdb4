// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages of the module, through judgement to text or JSON. Three bytes select what
 * is printed. Then come the messages: a byte for the kind, and attributes up to a 0.
 * An attribute is a type, a length (two bytes) and that many bytes; or a type with
 * NEST, the attributes of the nest, and a 0. So the fuzzer adds and drops whole
 * attributes. fuzz_answers tries wrong lengths.
 */
#include "fuzz.h"

#include <netlink/genl/genl.h>
#include <string.h>

#include "fixture.h"
#include "group/summary.h"
#include "judge/judge.h"
#include "output/out.h"
#include "source/decode.h"

#define NEST		0x80
#define MOST_MESSAGES	16
#define MOST_DEPTH	4

enum { CONFIG, RECORD, COUNTERS, HISTOGRAMS, MESSAGES };

/* a growing message, with room for everything an input can make */
struct message {
	struct nlmsghdr *head;
	size_t len;
};

static void *append(struct message *message, size_t len)
{
	char *at = (char *)message->head + message->len;

	memset(at, 0, NLA_ALIGN(len));
	message->len += NLA_ALIGN(len);
	return at;
}

static void put_attributes(struct message *message, struct input *input, unsigned int depth)
{
	unsigned int type;

	while (input->size && (type = take_number(input, 1))) {
		size_t begin = message->len;
		struct nlattr *attr = append(message, NLA_HDRLEN);
		struct input value;

		attr->nla_type = type & ~NEST;
		if (type & NEST && depth < MOST_DEPTH) {
			attr->nla_type |= NLA_F_NESTED;
			put_attributes(message, input, depth + 1);
			attr->nla_len = message->len - begin;
			continue;
		}
		value = take_piece(input, take_number(input, 2));
		attr->nla_len = NLA_HDRLEN + value.size;
		if (value.size)
			memcpy(append(message, value.size), value.data, value.size);
	}
}

static struct nlmsghdr *take_message(struct input *input)
{
	/* one byte of input can make an attribute of four bytes and its value's padding */
	struct message message = { .head = malloc(NLMSG_HDRLEN + GENL_HDRLEN + 4 * input->size) };

	append(&message, NLMSG_HDRLEN + GENL_HDRLEN);
	put_attributes(&message, input, 0);
	message.head->nlmsg_len = message.len;
	return realloc(message.head, message.len);
}

static void decode(struct input *input, struct model *model)
{
	unsigned int type = take_number(input, 1) % MESSAGES;
	struct nlmsghdr *msg = take_message(input);

	switch (type) {
	case CONFIG:
		decode_config(msg, model);
		break;
	case RECORD:
		decode_record(msg, model);
		break;
	case COUNTERS:
		decode_counters(msg, model);
		break;
	default:
		decode_histograms(msg, model);
	}
	free(msg);
}

static struct symbols *names(void)
{
	struct input kallsyms = { (const __u8 *)fixture_kallsyms, strlen(fixture_kallsyms) };
	struct input modules = { (const __u8 *)fixture_modules, strlen(fixture_modules) };
	FILE *kallsyms_file = file_of(kallsyms), *modules_file = file_of(modules);
	struct symbols *symbols = symbols_read(kallsyms_file, modules_file);

	fclose(kallsyms_file);
	fclose(modules_file);
	return symbols;
}

/* with or without a screen width; as irqoff share where possible */
static void print_report(struct page *page, struct summary *summary)
{
	page->window = window_of(page->model, 0, ~0ULL);
	if (summary->by == SUMMARY_BY_DEFAULT && page->tree) {
		page->screen.width = SHARE_WIDTH;
		text_share(page, summary);
		return;
	}
	report_select(&page->columns, summary->by, summary->victims, NULL);
	summary_top(summary, page->tree);
	text_report(page, summary);
}

static void print_list(struct page *page, bool verbose)
{
	list_select(&page->columns, page->model, verbose ? NULL : "+task,cgroup,pod,container");
	text_list(page, verbose);
}

static void print_groups(struct page *page, unsigned int by, enum summary_sort sort,
			 bool json)
{
	struct summary summary;

	summary_build(&summary, page->model, by, sort);
	if (json)
		json_report(page, &summary);
	else
		print_report(page, &summary);
	summary_free(&summary);
}

/* one output for each input: all of them would take long */
static void print(struct page *page, unsigned int how, unsigned int by)
{
	switch (how % 8) {
	case 0:
		print_list(page, how & 8);
		break;
	case 1:
		json_list(page);
		break;
	case 2:
	case 3:
		print_groups(page, by, how / 8 % SUMMARY_SORTS, how % 2);
		break;
	case 4:
		text_hist(page, how & 8);
		break;
	case 5:
		json_hist(page->model, how & 8, page->out);
		break;
	case 6:
		status_select(&page->columns, page->model, NULL);
		text_status(page);
		break;
	default:
		json_status(page->model, page->out);
	}
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	struct input input = { data, size };
	struct filter filter = { .until_ns = ~0ULL };
	unsigned int by = take_number(&input, 1) % (1U << SUMMARY_KEYS);
	unsigned int wanted = take_number(&input, 1), how = take_number(&input, 1);
	/* they remember traces; kept for the next run, each one would cost a search for leaks */
	struct symbols *symbols = names();
	struct collection collection = { .symbols = symbols };
	struct page page;

	collection.model.config.cpus = copy_text("default");
	collection.model.config.watched = copy_text("0-3");
	collection.model.config.now_ns = NOW_NS;
	collection.model.config.realtime_ns = NOW_REALTIME_NS;
	filter.min_ns = wanted & 1 ? 20 * MS : 0;
	filter.newest = wanted >> 1 & 3;
	filter.classes = wanted >> 3;
	filter.given = wanted;
	for (unsigned int i = 0; i < MOST_MESSAGES && input.size; i++)
		decode(&input, &collection.model);
	collection.model.config.online = copy_text("0-3");
	judge_records(collection.symbols, &collection.model);
	filter_apply(&filter, &collection.model);
	page = (struct page){
		.model = &collection.model,
		.symbols = symbols,
		.filtered = filter.given,
		.screen.width = how & 16 ? 80 : 0,
		.screen.color = how & 32,
		.tree = how & 64,
		.out = nowhere(),
	};
	print(&page, how, by ? by : SUMMARY_BY_DEFAULT);
	model_free(&collection.model);
	symbols_close(symbols);
	return 0;
}
