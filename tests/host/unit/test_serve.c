// SPDX-License-Identifier: GPL-2.0-only
/* What irqoff serve listens on, what it is asked for, and which captures it reads. */
#include "page.h"

#include <sys/socket.h>
#include <unistd.h>

#include "base/address.h"
#include "serve/asked.h"
#include "serve/captures.h"
#include "serve/clients.h"

static bool is_shut(int fd)
{
	char byte;

	return recv(fd, &byte, 1, MSG_DONTWAIT) == 0;
}

/* one that sends a byte now and then has CLIENTS_NS in all; one that waits for us has no limit */
static void clients_that_take_their_time(void **state)
{
	const __u64 begin_ns = 1000;
	struct clients clients = { 0 };
	int slow[2], waiting[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, slow), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, waiting), 0);
	clients_add(&clients, slow, slow[0], begin_ns);
	clients_add(&clients, waiting, waiting[0], begin_ns);
	clients_set(&clients, waiting, 0);
	clients_limit(&clients, begin_ns + CLIENTS_NS);
	assert_false(is_shut(slow[1]));
	clients_limit(&clients, begin_ns + CLIENTS_NS + 1);
	assert_true(is_shut(slow[1]));
	assert_false(is_shut(waiting[1]));
	/* it is answered from now on */
	clients_set(&clients, waiting, begin_ns + CLIENTS_NS);
	clients_limit(&clients, begin_ns + 2 * CLIENTS_NS);
	assert_false(is_shut(waiting[1]));
	clients_remove(&clients, slow);
	clients_limit(&clients, begin_ns + 2 * CLIENTS_NS + 1);
	assert_true(is_shut(waiting[1]));
	assert_int_equal(clients.count, 1);
	for (int i = 0; i < 2; i++) {
		close(slow[i]);
		close(waiting[i]);
	}
}

static void addresses(void **state)
{
	static const struct {
		const char *text, *printed;
		bool loopback;
	} rows[] = {
		{ "127.0.0.1:10475", "127.0.0.1:10475", true },
		{ "127.8.9.1:1", "127.8.9.1:1", true },
		{ "[::1]:65535", "[::1]:65535", true },
		{ "[::ffff:127.0.0.1]:0", "[::ffff:127.0.0.1]:0", true },
		{ "0.0.0.0:80", "0.0.0.0:80", false },
		{ "128.0.0.1:80", "128.0.0.1:80", false },
		{ "[::]:80", "[::]:80", false },
		{ "[2001:DB8:0::1]:80", "[2001:db8::1]:80", false },
		{ "[::ffff:10.0.0.1]:80", "[::ffff:10.0.0.1]:80", false },
		{ "[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]:65535",
		  "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535", false },
	};
	char buf[ADDRESS_LEN];
	struct address address;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_true(address_parse(&address, rows[i].text));
		assert_string_equal(address_print(buf, &address), rows[i].printed);
		assert_int_equal(address_is_loopback(&address), rows[i].loopback);
	}
}

static void no_addresses(void **state)
{
	static const char * const texts[] = {
		"", ":", ":80", "80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
		"127.0.0.1:-1",
		"127.0.0.1:+1", "127.0.0.1: 1", "127.0.0.1:1 ", "127.1:1", "localhost:80", "::1:80",
		"[::1]", "[::1]80", "[]:80", "[:80", "]:80", "[127.0.0.1]:80", "[::1:80", "::1]:80",
		"[fe80::1%lo]:80", "0x7f.0.0.1:80", "256.0.0.1:80",
		"[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.2555]:1",
		"111.111.111.111.111.111.111.111.111.111.111.111.111.111.111.111:1",
	};
	struct address address;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (address_parse(&address, texts[i]))
			fail_msg("'%s' is an address", texts[i]);
}

static void paths(void **state)
{
	assert_int_equal(asked_path("/"), ASKED_INDEX);
	assert_int_equal(asked_path("/metrics"), ASKED_METRICS);
	assert_int_equal(asked_path("/debug/pprof/irqoff"), ASKED_PROFILE);
	assert_int_equal(asked_path(""), ASKED_NOTHING);
	assert_int_equal(asked_path("/metrics/"), ASKED_NOTHING);
	assert_int_equal(asked_path("/Metrics"), ASKED_NOTHING);
	assert_int_equal(asked_path("//metrics"), ASKED_NOTHING);
	assert_int_equal(asked_path("/debug/pprof/"), ASKED_NOTHING);
	assert_true(asked_method("GET"));
	assert_true(asked_method("HEAD"));
	assert_false(asked_method("POST"));
	assert_false(asked_method("get"));
}

static void spans(void **state)
{
	static const char * const wrong[] = {
		"", "0", "86401", "-1", "+1", "1.5", "1s", " 1", "1 ", "0x10",
		"99999999999999999999",
	};
	unsigned int number;

	assert_true(asked_seconds(NULL, &number));
	assert_int_equal(number, 60);
	assert_true(asked_seconds("1", &number));
	assert_int_equal(number, 1);
	assert_true(asked_seconds("86400", &number));
	assert_int_equal(number, 86400);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (asked_seconds(wrong[i], &number))
			fail_msg("'%s' is a number of them", wrong[i]);
}

/* what Prometheus sends */
#define OPENMETRICS	"application/openmetrics-text;version=1.0.0"
#define PROMETHEUS_2	OPENMETRICS ",application/openmetrics-text;version=0.0.1;q=0.75," \
			"text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
#define PROMETHEUS_3	OPENMETRICS ";escaping=allow-utf-8;q=0.5," \
			"application/openmetrics-text;version=0.0.1;q=0.4," \
			"text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3," \
			"text/plain;version=0.0.4;q=0.2,*/*;q=0.1"
/* where scrape_protocols begins with PrometheusText0.0.4 */
#define TEXT_FIRST	"text/plain;version=0.0.4;q=0.5," OPENMETRICS ";q=0.4,*/*;q=0.3"
/* for native histograms, which are not served */
#define PROTOBUF	"application/vnd.google.protobuf;" \
			"proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6," \
			OPENMETRICS ";q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1"

static void formats(void **state)
{
	static const struct {
		const char *accept;
		enum metrics_format format;
	} rows[] = {
		{ NULL, METRICS_TEXT },
		{ "", METRICS_TEXT },
		{ "*/*", METRICS_TEXT },
		{ "text/plain", METRICS_TEXT },
		{ "application/*", METRICS_TEXT },
		{ "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", METRICS_TEXT },
		{ PROMETHEUS_2, METRICS_OPENMETRICS },
		{ PROMETHEUS_3, METRICS_OPENMETRICS },
		{ TEXT_FIRST, METRICS_TEXT },
		{ PROTOBUF, METRICS_OPENMETRICS },
		{ "application/openmetrics-text", METRICS_OPENMETRICS },
		{ "Application/OpenMetrics-Text ; Version=\"1.0.0\"", METRICS_OPENMETRICS },
		{ "application/openmetrics-text;version=0.0.1", METRICS_TEXT },
		{ "application/openmetrics-text;version=2.0.0", METRICS_TEXT },
		{ "application/openmetrics-text;q=0", METRICS_TEXT },
		{ "application/openmetrics-text;q=0.000,*/*;q=0", METRICS_TEXT },
		{ "application/openmetrics-text;q=2", METRICS_TEXT },
		{ "application/openmetrics-text;q=", METRICS_TEXT },
		{ "application/openmetrics-text;q=.5", METRICS_TEXT },
		{ "application/openmetrics-text;q=0.5000", METRICS_TEXT },
		{ "application/openmetrics-text;q=1.001", METRICS_TEXT },
		{ "application/openmetrics-text;q=1.000", METRICS_OPENMETRICS },
		{ "application/openmetrics-text;q=0.5,text/plain;q=0.501", METRICS_TEXT },
		{ "application/openmetrics-text;q=0.5,text/plain;q=0.5", METRICS_OPENMETRICS },
		{ "application/openmetrics-text;q=0.5,*/*", METRICS_TEXT },
		/* the range that says most counts */
		{ "application/openmetrics-text;q=0.5,*/*,text/*;q=0.1", METRICS_OPENMETRICS },
		{ "application/openmetrics-text;q=0.5,text/*,text/plain;q=0.1",
		  METRICS_OPENMETRICS },
		/* quotes hide what would end a range */
		{ "x/y;a=\"b,application/openmetrics-text\"", METRICS_TEXT },
		{ "x/y;a=\"\\\",application/openmetrics-text\"", METRICS_TEXT },
		{ "x/y;a=\"b\",application/openmetrics-text", METRICS_OPENMETRICS },
		{ "x/y;a=\"b", METRICS_TEXT },
		{ "x/y;a=\"\\", METRICS_TEXT },
		{ ",,;;,application/openmetrics-text,", METRICS_OPENMETRICS },
		{ "application/openmetrics-textual", METRICS_TEXT },
		{ "application/openmetrics-tex", METRICS_TEXT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (asked_format(rows[i].accept) != rows[i].format)
			fail_msg("Accept: %s", rows[i].accept ? rows[i].accept : "(none)");
}

/* of files that begin at 1000, 2000, ... */
static size_t first_of(size_t count, time_t since)
{
	struct rotation row = { .names = alloc(count, sizeof(*row.names)), .count = count };
	size_t first;

	for (size_t i = 0; i < count; i++)
		row.names[i] = rotation_name("/var/lib/trace-irqoff/stalls", 1000 * (i + 1));
	first = captures_first(&row, since);
	rotation_free(&row);
	return first;
}

static void captures_of_a_time(void **state)
{
	assert_int_equal(first_of(0, 5), 0);
	assert_int_equal(first_of(1, 5), 0);
	/* the newest one is always asked, as it may have stalls that ended just now */
	assert_int_equal(first_of(1, 5000), 0);
	assert_int_equal(first_of(3, 5000), 2);
	assert_int_equal(first_of(3, 3001), 2);
	/* it ended in the second in which the next one begins */
	assert_int_equal(first_of(3, 3000), 1);
	assert_int_equal(first_of(3, 2500), 1);
	assert_int_equal(first_of(3, 2001), 1);
	/* what is older than all names may be in the first one */
	assert_int_equal(first_of(3, 2000), 0);
	assert_int_equal(first_of(3, 1), 0);
}

static char dir[32];

static void put(const char *name, const char *text)
{
	char path[128];
	FILE *made;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	made = fopen(path, "w");
	fputs(text, made);
	fclose(made);
}

static void captures_of_a_directory(void **state)
{
	char command[64], *why;
	struct rotation row;

	strcpy(dir, "/tmp/irqoff-serve-XXXXXX");
	assert_non_null(mkdtemp(dir));
	assert_null(captures_since(&row, dir, 0));
	assert_int_equal(row.count, 0);
	rotation_free(&row);
	put("stalls-20261127T000000Z.irqoff", "x");
	put("stalls-20261127T010000Z.irqoff", "x");
	put("stalls-20261127T020000Z.irqoff", "");
	put("other-20261127T030000Z.irqoff", "x");
	put("stalls.irqoff", "x");
	put("stalls-20261127T040000Z.irqoff.old", "x");
	/* 00:30; and the agent has just begun the last one */
	assert_null(captures_since(&row, dir, 1795739400));
	assert_int_equal(row.count, 2);
	assert_non_null(strstr(row.names[0], "T000000Z"));
	rotation_free(&row);
	/* 01:30 */
	assert_null(captures_since(&row, dir, 1795743000));
	assert_int_equal(row.count, 1);
	assert_non_null(strstr(row.names[0], "T010000Z"));
	rotation_free(&row);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	assert_int_equal(system(command), 0);
	why = captures_since(&row, dir, 0);
	assert_non_null(strstr(why, "could not open /tmp/irqoff-serve-"));
	assert_non_null(strstr(why, ": No such file or directory"));
	free(why);
	rotation_free(&row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clients_that_take_their_time),
		cmocka_unit_test(addresses),
		cmocka_unit_test(no_addresses),
		cmocka_unit_test(paths),
		cmocka_unit_test(spans),
		cmocka_unit_test(formats),
		cmocka_unit_test(captures_of_a_time),
		cmocka_unit_test(captures_of_a_directory),
	};

	return cmocka_run_group_tests_name("serve", tests, NULL, NULL);
}
