// SPDX-License-Identifier: GPL-2.0-only
#include "logs.h"

struct replies replies;
struct reply_options options;

int open_log(void **state)
{
	replies = (struct replies){ 0 };
	options = (struct reply_options){ 0 };
	return 0;
}

int close_log(void **state)
{
	replies_free(&replies);
	return 0;
}

int read_text(const char *name, const char *text)
{
	struct reply_log *log;
	int ret = EXIT_DONE;

	said_begin();
	log = reply_log(name, &options, &replies);
	while (log && *text && !ret) {
		const char *end = strchr(text, '\n');
		char *line = strndup(text, end ? (size_t)(end - text) + 1 : strlen(text));

		ret = reply_log_line(log, line, 0);
		text = end ? end + 1 : "";
		free(line);
	}
	ret = log ? reply_log_end(log) : EXIT_USAGE;
	said_end();
	return ret;
}

void read_written(FILE *out, char **text)
{
	fclose(out);
	assert_int_equal(read_text("log", *text), EXIT_DONE);
	free(*text);
}

void assert_read(const char *text, size_t count, size_t lost, size_t ignored)
{
	replies_free(&replies);
	assert_int_equal(read_text("log", text), EXIT_DONE);
	assert_int_equal(replies.count, count);
	assert_int_equal(count_lost(), lost);
	assert_int_equal(replies.ignored, ignored);
}

void assert_reply(size_t i, __u64 seq, __u64 sent_ns, __u64 came_ns)
{
	assert_true(i < replies.count);
	assert_int_equal(replies.all[i].seq, seq);
	assert_int_equal(replies.all[i].sent_ns, sent_ns);
	assert_int_equal(replies.all[i].came_ns, came_ns);
	assert_int_equal(replies.all[i].lost, !came_ns);
}

const struct reply *number(__u64 seq)
{
	const struct reply *found = NULL;

	for (size_t i = 0; i < replies.count; i++) {
		if (replies.all[i].seq != seq)
			continue;
		assert_null(found);
		found = &replies.all[i];
	}
	assert_non_null(found);
	return found;
}

void assert_lost(__u64 seq, __u64 sent_ns)
{
	const struct reply *reply = number(seq);

	assert_true(reply->lost);
	assert_int_equal(reply->came_ns, 0);
	if (reply->sent_ns + MS < sent_ns || reply->sent_ns > sent_ns + MS)
		fail_msg("%llu was sent at %llu", seq, reply->sent_ns);
}

size_t count_lost(void)
{
	size_t lost = 0;

	for (size_t i = 0; i < replies.count; i++)
		lost += replies.all[i].lost;
	return lost;
}

__u64 at_ms(__u64 ms)
{
	return 1795000000 * SECOND + ms * MS;
}

void put_ping(FILE *out, unsigned int seq, __u64 sent_ms, __u64 took_us)
{
	__u64 came_us = sent_ms * 1000 + took_us;

	fprintf(out, "[%llu.%06llu] ", 1795000000 + came_us / 1000000, came_us % 1000000);
	fprintf(out, "64 bytes from 10.0.0.2: icmp_seq=%u ttl=64 time=%llu.%03llu ms\n",
		seq & 0xffff, took_us / 1000, took_us % 1000);
}
