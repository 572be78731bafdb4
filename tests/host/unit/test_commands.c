// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <fcntl.h>
#include <netlink/genl/genl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "capture/capture.h"
#include "capture/capture_write.h"
#include "cli/commands.h"
#include "command_line.h"
#include "group/summary.h"
#include "wire.h"

/* where there is no module, as on the laptop of whoever asks */
static void correlate_without_captures(void **state)
{
	char path[] = "/tmp/irqoff-test-XXXXXX";

	if (!access("/sys/module/trace_irqoff", F_OK)) {
		leave_out("because the module is loaded");
		return;
	}
	write_text(path, "1795244400,250ms\n");
	assert_run(EXIT_FAILED, "correlate %s", path);
	assert_string_equal(errors,
			    "irqoff: correlate without -i asks the module, which is not loaded here; "
			    "name the node's captures: -i CAPTURE\n");
	unlink(path);
}

/* a capture of CPUs 0 to 3, of which CPU 2 serves the device d0 */
static void write_device(FILE *file)
{
	struct capture_writer *writer;
	struct collection made;
	struct nl_msg *msg = capture_message(CAPTURE_CMD_DEVICES, 256);
	struct nlattr *nest = nla_nest_start(msg, CAPTURE_A_DEVICE);
	size_t len;
	char *bytes;

	fixture_collect(&made);
	made.model.config.online = copy_text("0-3");
	bytes = wire_capture(&made, false, &len);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	free(bytes);
	collect_free(&made);
	nla_put_string(msg, CAPTURE_A_NAME, "d0");
	nla_put_u8(msg, CAPTURE_A_WHY, SERVING_INTERRUPTS);
	nla_put_string(msg, CAPTURE_A_LIST, "2");
	nla_nest_end(msg, nest);
	writer = capture_writer(file);
	capture_put_message(writer, msg);
	capture_put_message(writer, capture_message(CAPTURE_CMD_END, 64));
	assert_true(capture_writer_close(writer));
}

/* each capture has CPUs of its own, and one that does not know the device says so */
static void alibi_of_a_device(void **state)
{
	char path[] = "/tmp/irqoff-test-XXXXXX", line[256];
	FILE *file = fdopen(mkstemp(path), "w");

	write_device(file);
	fclose(file);
	snprintf(line, sizeof(line), "alibi --from 1s -i %s --dev d0 --json", path);
	assert_in_range(run(line), EXIT_FOUND, EXIT_CANNOT_TELL);
	assert_string_equal(errors, "");
	assert_non_null(strstr(output, "\"cpus\": \"2\""));
	assert_non_null(strstr(output, "\"dev_how\": \"These CPUs served d0, as its interrupts "));
	snprintf(line, sizeof(line), "alibi --from 1s -i %s %s --dev d0", path, path);
	assert_in_range(run(line), EXIT_FOUND, EXIT_CANNOT_TELL);
	assert_non_null(strstr(output, "These CPUs served d0, as its interrupts were set then.\n"));
	/* an answer that nobody could read is none */
	snprintf(line, sizeof(line), "alibi --from 1s -i %s --dev d0", path);
	assert_cannot_write(line);
	assert_run(EXIT_FAILED, "alibi --from 1s -i %s --dev d1", path);
	assert_string_equal(output, "");
	assert_non_null(strstr(errors,
			       "does not say which CPUs served 'd1'; name CPUs by --cpu\n"));
	unlink(path);
}

/* an option that no log is about is no help to anybody */
static void options_about_no_log(void **state)
{
	static const char * const of_requests[] = {
		"--time-is start", "--unit ms", "--fields a,b",
	};
	static const char * const of_hping[] = { "--start 1795244400", "--interval 10ms" };
	static const char * const formats[] = { "request logs", "logs of hping3" };
	char ping[] = "/tmp/irqoff-test-XXXXXX", csv[] = "/tmp/irqoff-test-XXXXXX";
	char line[256], wanted[256];

	write_text(ping, "[1795244400.5] 64 bytes from a: icmp_seq=1 ttl=64 time=9.0 ms\n");
	write_text(csv, "1795244400,9ms\n");
	for (size_t i = 0; i < ARRAY_SIZE(of_requests) + ARRAY_SIZE(of_hping); i++) {
		bool hping = i >= ARRAY_SIZE(of_requests);
		const char *option = hping ? of_hping[i - ARRAY_SIZE(of_requests)] :
					     of_requests[i];

		snprintf(line, sizeof(line), "correlate -i /nowhere %s %s", option, ping);
		snprintf(wanted, sizeof(wanted), "irqoff: %.*s is about %s, and no log is one; "
			 "leave it out\n", (int)strcspn(option, " "), option, formats[hping]);
		assert_int_equal(run(line), EXIT_USAGE);
		assert_string_equal(errors, wanted);
	}
	assert_run(EXIT_USAGE, "correlate -i /nowhere --interval 1ms %s", csv);
	assert_run(EXIT_FAILED, "correlate -i /nowhere --unit ms %s %s", ping, csv);
	unlink(ping);
	unlink(csv);
}

/* CPUs that were named and are not online */
static void cpus_that_are_not_there(void **state)
{
	char path[] = "/tmp/irqoff-test-XXXXXX", log[] = "/tmp/irqoff-test-XXXXXX", line[256];
	FILE *file = fdopen(mkstemp(path), "w");
	static const char absent[] = "irqoff: there is no CPU 4 (CPUs 0-3)\n";

	write_device(file);
	fclose(file);
	write_text(log, "1795244400,250ms\n");
	assert_run(EXIT_CANNOT_TELL, "alibi -i %s --from 06:50 --cpu 9", path);
	assert_string_equal(errors, "");
	assert_non_null(strstr(output,
			       "cannot tell whether there was a stall, from 06:50:00.000 "));
	assert_non_null(strstr(output, " to 07:00:00.000: none of the CPUs of --cpu is online\n"));
	snprintf(line, sizeof(line), "alibi -i %s --from 06:50 --cpu 2-99", path);
	run(line);
	assert_string_equal(errors, absent);
	snprintf(line, sizeof(line), "correlate -i %s %s --cpu 2-99", path, log);
	run(line);
	assert_string_equal(errors, absent);
	snprintf(line, sizeof(line), "alibi -i %s --from 06:50 --cpu 2-3", path);
	run(line);
	assert_string_equal(errors, "");
	unlink(path);
	unlink(log);
}

/* what nobody understands may be a slow reply, or one that is missing */
static void lines_not_understood(void **state)
{
	static const char whole[] = "1795244399,1ms\n1795244399.5,1ms\n";
	static const char damaged[] = "1795244399,1ms\n1795244399.5,1 parsec\n";
	char path[] = "/tmp/irqoff-test-XXXXXX", log[] = "/tmp/irqoff-test-XXXXXX";
	char bad[] = "/tmp/irqoff-test-XXXXXX", line[256], wanted[256];
	FILE *file = fdopen(mkstemp(path), "w");

	write_device(file);
	fclose(file);
	write_text(log, whole);
	write_text(bad, damaged);
	assert_run(EXIT_DONE, "correlate -i %s %s", path, log);
	assert_non_null(strstr(output, "none of 2 replies took 10 ms or longer, "));
	assert_non_null(strstr(output, "ms or longer, and none is missing\n"));
	assert_string_equal(errors, "");
	snprintf(line, sizeof(line), "correlate -i %s %s %s", path, log, bad);
	snprintf(wanted, sizeof(wanted), "irqoff: 1 line was not understood; "
		 "the first is line 2 of %s: '1795244399.5,1 parsec'\n", bad);
	assert_int_equal(run(line), EXIT_CANNOT_TELL);
	assert_non_null(strstr(output, "none of 3 replies took 10 ms or longer, "));
	assert_non_null(strstr(output, "ms or longer, as far as lines were understood\n"));
	assert_string_equal(errors, wanted);
	snprintf(line, sizeof(line), "correlate -i %s %s --json", path, bad);
	snprintf(wanted, sizeof(wanted), "\"lines_ignored\": 1,\n  \"first_ignored\": {\n"
		 "    \"log\": \"%s\",\n    \"line\": 2,\n", bad);
	assert_int_equal(run(line), EXIT_CANNOT_TELL);
	assert_non_null(strstr(output, wanted));
	/* what is worse stays so */
	assert_run(EXIT_FAILED, "correlate -i /nowhere %s", bad);
	unlink(path);
	unlink(log);
	unlink(bad);
}

/* what has no latency is neither missing nor passed over */
static void requests_without_latency(void **state)
{
	char path[] = "/tmp/irqoff-test-XXXXXX", log[] = "/tmp/irqoff-test-XXXXXX";
	char other[] = "/tmp/irqoff-test-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");

	write_device(file);
	fclose(file);
	write_text(log, "1795244399.1,1ms\n1795244399.5,-\n");
	assert_run(EXIT_CANNOT_TELL, "correlate -i %s %s", path, log);
	assert_non_null(strstr(output, "longer, did not come, or has no latency in the log;"));
	assert_non_null(strstr(output, "; 1 were read and 1 has no latency, of 2026-11-21"));
	assert_non_null(strstr(output,
			       "1 cannot be told: the log has no latency of the request\n"));
	assert_null(strstr(output, "lost"));
	assert_null(strstr(output, "missing"));
	write_text(other, "1795244399.1,1ms\n1795244399.5,\n1795244399.7,timeout\n");
	assert_run(EXIT_CANNOT_TELL, "correlate -i %s %s", path, other);
	assert_non_null(strstr(output, "; 1 were read, 1 has no latency and 1 is missing, of "));
	assert_run(EXIT_CANNOT_TELL, "correlate -i %s %s --json", path, other);
	assert_non_null(strstr(output, "\"replies_read\": 1,\n  \"replies_missing\": 1,\n"
				    "  \"replies_untold\": 1,\n"));
	assert_non_null(strstr(output, "\"lost\": false"));
	assert_non_null(strstr(output, "\"lost\": true"));
	unlink(path);
	unlink(log);
	unlink(other);
}

/* why a range has no stall; the capture was saved at 07:00 */
static void ranges_of_a_capture(void **state)
{
	static const char put_back[] =
		"irqoff: --until 07:10 means that of 2026-11-20, as the capture was saved at 07:00:00; "
		"leave out --until, or give a date\n";
	char path[] = "/tmp/irqoff-test-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");

	write_device(file);
	fclose(file);
	assert_refused("alibi -i %s --from 06:50 --to 07:10", path, put_back);
	assert_refused("alibi -i %s --from 2026-11-21 --to 07:10", path, put_back);
	assert_refused("alibi -i %s --from 06:50 --to 06:40", path,
		       "irqoff: --since is later than --until, so no stall is between them; "
		       "exchange them\n");
	assert_refused("alibi -i %s --from 07:20 --to 07:10", path,
		       "irqoff: --since is later than --until, so no stall is between them; "
		       "exchange them\n");
	assert_refused("alibi -i %s --from 1m --to 2m", path,
		       "irqoff: --since is later than --until, so no stall is between them; "
		       "an age counts back from now: --since 2m --until 1m\n");
	unlink(path);
}

/* as a user does */
static void reads_captures(void **state)
{
	char path[] = "/tmp/irqoff-test-XXXXXX", line[256];
	struct collection made;
	size_t len;
	char *bytes;
	FILE *file;
	int fd;

	fixture_collect(&made);
	bytes = wire_capture(&made, false, &len);
	file = fdopen(mkstemp(path), "w");
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	fclose(file);
	run_with("report -i %s", path);
	assert_non_null(strstr(output, "node-7, kernel 6.1.0-31-amd64, saved 2026-11-21 07:00:00"));
	run_with("-i %s --top 1", path);
	assert_non_null(strstr(output, "left out by --top"));
	run_with("show 1:1 -i %s", path);
	assert_non_null(strstr(output, "estimation_timer"));
	assert_null(strstr(output, "0:66"));
	/* an age counts back from when it was saved */
	run_with("list --since 1m -i %s", path);
	assert_non_null(strstr(output, "1:open"));
	assert_null(strstr(output, "0:66"));
	run_with("list -i %s 1:1 %s --json=lines", path);
	assert_ptr_equal(strchr(strchr(output, '\n') + 1, '\n'), output + strlen(output) - 1);
	run_with("hist -i %s --per-cpu", path);
	assert_non_null(strstr(output, "CPU 1, soft: 1 stall"));
	run_with("status -i %s %s", path);
	assert_non_null(strstr(strstr(output, "watched then") + 1, "watched then"));
	run_with("share -i %s", path);
	assert_non_null(strstr(output, "longest with a culprit"));
	run_with("report -i %s %s", path);
	assert_non_null(strstr(output, "2 captures of 1 node, saved "));
	assert_non_null(strstr(output, "9 stalls, "));
	assert_run(EXIT_FAILED, "report -i %s /nowhere --json", path);
	assert_non_null(strstr(errors, "irqoff: could not open /nowhere: "));
	assert_non_null(strstr(output, "\"captures\": 1,"));
	/* words belong to the option before them; one capture is no fleet */
	assert_run(EXIT_CANNOT_TELL, "report -i %s --baseline %s --json", path, path);
	assert_non_null(strstr(output, "\"verdict\": \"cannot-tell\""));
	assert_run(EXIT_FAILED, "report --baseline %s %s -i /nowhere %s", path, path, path);
	assert_non_null(strstr(output, "Baseline: 2 captures of 1 node, "));
	assert_non_null(strstr(output, "Compared: 1 capture of "));
	/* the last byte is missing */
	assert_int_equal(truncate(path, len - 1), 0);
	snprintf(line, sizeof(line), "list -i %s", path);
	assert_int_equal(run(line), EXIT_FAILED);
	assert_non_null(strstr(errors, "is cut off, so records may be missing"));
	assert_non_null(strstr(output, "0:66"));
	/* ... because somebody still records to it */
	fd = open(path, O_RDWR);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(run(line), EXIT_DONE);
	assert_non_null(strstr(errors, "is still written; what is there is shown"));
	assert_non_null(strstr(output, "0:66"));
	close(fd);
	unlink(path);
	free(bytes);
	collect_free(&made);
}

static void write_capture(const char *path, const char *node)
{
	FILE *file = fopen(path, "w");
	struct collection made;
	size_t len;
	char *bytes;

	fixture_collect(&made);
	strcpy(made.model.machine.host, node);
	strcpy(made.model.machine.boot_id, node);
	bytes = wire_capture(&made, false, &len);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	fclose(file);
	free(bytes);
	collect_free(&made);
}

/* what alibi's options were called before other commands had them */
static void older_words(void **state)
{
	static const char * const words[][2] = {
		{ "alibi -i %s --since 06:50", "alibi -i %s --from 06:50" },
		{ "alibi -i %s --since 06:50 --until 06:59:30 --min 20ms",
		  "alibi -i %s --from 06:50 --to 06:59:30 --over 20ms" },
		{ "alibi -i %s --since 06:50 --min 20ms --json",
		  "alibi -i %s --from 06:50 --over 20ms --json" },
	};
	char path[] = "/tmp/irqoff-test-XXXXXX", line[256], before[sizeof(output)];
	FILE *file = fdopen(mkstemp(path), "w");

	write_device(file);
	fclose(file);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		int status;

		snprintf(line, sizeof(line), words[i][0], path);
		status = run(line);
		assert_in_range(status, EXIT_FOUND, EXIT_CANNOT_TELL);
		memcpy(before, output, sizeof(before));
		assert_run(status, words[i][1], path);
		assert_string_equal(output, before);
	}
	run("alibi --help");
	assert_null(strstr(output, "--from"));
	unlink(path);
}

/* irqoff FILE is irqoff report -i FILE */
static void file_alone(void **state)
{
	char path[] = "/tmp/irqoff-test-XXXXXX", before[sizeof(output)];

	close(mkstemp(path));
	write_capture(path, "node-1");
	run_with("report --top 1 -i %s", path);
	memcpy(before, output, sizeof(before));
	run_with("%s --top 1", path);
	assert_string_equal(output, before);
	run_with("--top 1 %s", path);
	assert_string_equal(output, before);
	run_with("report --json -i %s %s", path);
	memcpy(before, output, sizeof(before));
	run_with("%s %s --json", path);
	assert_string_equal(output, before);
	unlink(path);
	assert_int_equal(run("/nowhere"), EXIT_FAILED);
	assert_non_null(strstr(errors, "/nowhere"));
	/* by its end alone */
	assert_int_equal(run("nowhere.irqoff"), EXIT_FAILED);
	assert_non_null(strstr(errors, "nowhere.irqoff"));
}

/* FOLDED adds up to so many ns */
static __u64 folded_ns(const char *folded)
{
	__u64 ns = 0;

	for (const char *line = folded; *line; line = strchr(line, '\n') + 1) {
		const char *space = memrchr(line, ' ', strchr(line, '\n') - line);

		ns += strtoull(space, NULL, 10);
	}
	return ns;
}

/* a capture that is damaged is exported up to there; one that cannot be read is an error alone */
static void exports_captures(void **state)
{
	char dir[] = "/tmp/irqoff-test-XXXXXX", one[64], other[64], made[64], line[512];
	struct stat stat_of, made_stat;
	__u64 ns;

	assert_non_null(mkdtemp(dir));
	snprintf(one, sizeof(one), "%s/one", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
	snprintf(made, sizeof(made), "%s/made", dir);
	write_capture(one, "node-1");
	write_capture(other, "node-2");
	run_with("export -i %s --format folded", one);
	ns = folded_ns(output);
	assert_int_equal(ns, 240 * MS);
	run_with("export -i %s --format folded -o -", one);
	assert_int_equal(folded_ns(output), ns);
	snprintf(line, sizeof(line), "export -i %s --format folded -o -", one);
	assert_cannot_write(line);
	run_with("export -i %s --format folded --class softirq-long", one);
	assert_string_equal(output, "swapper/1;handle_softirqs;__run_timers;call_timer_fn;"
				 "estimation_timer [ip_vs] 45000000\n");
	/* a record that both have counts once, records of two nodes do not */
	run_with("export -i %s %s --format folded", one);
	assert_int_equal(folded_ns(output), ns);
	assert_run(EXIT_DONE, "export -i %s %s --format folded", one, other);
	assert_int_equal(folded_ns(output), 2 * ns);
	assert_run(EXIT_USAGE, "export -i %s %s --format perfetto", one, other);
	assert_non_null(strstr(errors, "perfetto takes captures of one boot; "));
	assert_non_null(strstr(errors, "irqoff: --format perfetto takes captures of one boot; '/"));
	assert_non_null(strstr(errors, "/one' and '/"));
	assert_non_null(strstr(errors, "/other' are of different boots\n"));
	assert_string_equal(output, "");
	/* the bytes are the same in a file, which is not replaced by mistake */
	snprintf(line, sizeof(line), "export -i %s --format pprof -o %s", one, made);
	assert_int_equal(run(line), EXIT_DONE);
	assert_string_equal(output, "");
	assert_int_equal(run(line), EXIT_FAILED);
	assert_non_null(strstr(errors, "exists; --force replaces it"));
	unlink(made);
	assert_run(EXIT_FAILED, "export -i %s /nowhere --format pprof -o %s", one, made);
	assert_non_null(strstr(errors, "irqoff: could not open /nowhere: "));
	assert_ptr_equal(strchr(errors, '\n'), errors + strlen(errors) - 1);
	assert_int_equal(stat(made, &stat_of), -1);
	assert_run(EXIT_FAILED, "export -i %s /nowhere --format folded", one);
	assert_string_equal(output, "");
	/* unless what there is will do; the status is the same */
	assert_run(EXIT_FAILED, "export --partial -i %s /nowhere --format folded", one);
	assert_int_equal(folded_ns(output), ns);
	assert_non_null(strstr(errors, "\nirqoff: not all is there: could not open /nowhere: "));
	assert_int_equal(run("export --partial -i /nowhere --format folded"), EXIT_FAILED);
	assert_string_equal(output, "");
	assert_int_equal(run("export --partial --format folded"), EXIT_USAGE);
	/* what is read is not replaced, by whatever name */
	assert_int_equal(link(one, made), 0);
	assert_int_equal(stat(one, &stat_of), 0);
	assert_run(EXIT_USAGE, "export -i %s --format pprof --force -o %s", one, made);
	assert_non_null(strstr(errors, "/made is read, so it is not replaced; name another file"));
	assert_int_equal(stat(made, &made_stat), 0);
	assert_int_equal(made_stat.st_ino, stat_of.st_ino);
	unlink(made);
	/* the last byte is missing */
	assert_int_equal(truncate(one, stat_of.st_size - 1), 0);
	assert_run(EXIT_FAILED, "export -i %s --format folded", one);
	assert_non_null(strstr(errors, "is cut off, so records may be missing"));
	assert_int_equal(folded_ns(output), ns);
	unlink(one);
	unlink(other);
	rmdir(dir);
}

/* report prints the same sentence */
static void exports_nothing(void **state)
{
	char dir[] = "/tmp/irqoff-test-XXXXXX", one[64], other[64];

	assert_non_null(mkdtemp(dir));
	snprintf(one, sizeof(one), "%s/one", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
	write_capture(one, "node-1");
	write_capture(other, "node-2");
	assert_run(EXIT_DONE, "export -i %s --format folded --min 9s", one);
	assert_string_equal(output, "");
	assert_string_equal(errors, "irqoff: None of the 9 records kept matches the filter; "
				 "6 others were overwritten by newer ones (all CPUs)\n");
	assert_run(EXIT_DONE, "export -i %s --format folded --cpu 77", one);
	assert_non_null(strstr(errors, "(all CPUs)\nirqoff: There is no CPU 77 (CPUs 0-3)\n"));
	assert_run(EXIT_DONE, "export -i %s %s --format folded --min 9s", one, one);
	assert_string_equal(output, "");
	assert_string_equal(errors, "irqoff: None of the 8 records kept matches the filter\n");
	assert_run(EXIT_DONE, "export -i %s %s --format folded --min 9s", one, other);
	assert_string_equal(errors, "irqoff: None of the 16 records kept matches the filter\n");
	assert_run(EXIT_DONE, "export -i %s %s --format folded --min 20ms", one, other);
	assert_string_equal(errors, "");
	unlink(one);
	unlink(other);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(correlate_without_captures),
		cmocka_unit_test(options_about_no_log),
		cmocka_unit_test(cpus_that_are_not_there),
		cmocka_unit_test(lines_not_understood),
		cmocka_unit_test(requests_without_latency),
		cmocka_unit_test(ranges_of_a_capture),
		cmocka_unit_test(reads_captures),
		cmocka_unit_test(alibi_of_a_device),
		cmocka_unit_test(older_words),
		cmocka_unit_test(file_alone),
		cmocka_unit_test(exports_captures),
		cmocka_unit_test(exports_nothing),
	};

	return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
