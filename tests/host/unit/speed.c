// SPDX-License-Identifier: GPL-2.0-only
/*
 * speed SCENARIO COMMAND RECORDS: measures the reader with that many made-up records,
 * from the module's answers to the printed page. Prints CPU milliseconds, peak resident
 * memory in KiB, the number of records and of proved victims, and whether names of
 * addresses were read.
 *
 * speed SCENARIO merge RECORDS CAPTURES: writes that many captures of other nodes, of that many
 * records each, and measures a report of all. Prints the milliseconds that passed, CPU
 * milliseconds, peak resident memory in KiB, the number of records and of groups, and the
 * bytes of a capture.
 *
 * speed SCENARIO save RECORDS DIRECTORY: writes a capture of that many records, 0.irqoff.
 *
 * speed measure PROGRAM [WORD]...: runs it without its output. Prints CPU milliseconds and peak
 * resident memory in KiB.
 */
#include "fixture.h"

#include <netlink/genl/genl.h>
#include <netlink/handlers.h>
#include <netlink/netlink.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clocks.h"
#include "collect/capture_save.h"
#include "group/fleet.h"
#include "output/out.h"
#include "source/messages.h"
#include "source/source.h"
#include "version.h"

#define CPUS		32
#define EVENT_NS	(100 * MS)
#define DATAGRAM	32768

enum scenario {
	MIXED,		/* as on a busy node: many records, few different stacks */
	VICTIMS,	/* all but one in 32 are victims, and each link is proved */
	GROUPS,		/* no two records have the same task and cgroup */
	DEEP,		/* five stacks of 64 frames each, no two the same */
	DRIVERS,	/* as MIXED, in modules, whose functions the kernel names */
	SOFTIRQS,	/* softirqs that took long, in dispatchers that call one another */
	LOCKS,		/* all wait for one lock, but for a holder in every second moment */
	SCENARIOS
};

static const char * const scenarios[SCENARIOS] = {
	"mixed", "victims", "groups", "deep", "drivers", "softirqs", "locks"
};

static enum scenario scenario;
static __u64 records;

/* the state of the current answer */
static unsigned int command;
static __u64 next;

static void put_stack(struct nl_msg *msg, __u64 number, __u64 innermost, unsigned int nframes)
{
	__u64 frames[TIO_FRAMES], calls[TIO_FRAMES] = { 0 };

	for (unsigned int i = 0; i < nframes; i++)
		frames[i] = AT_MEMORY_STAT + 1 + (number * 31 + i) % 0xff0;
	for (unsigned int i = 2; scenario == SOFTIRQS && i < nframes; i += 3)
		frames[i] = AT_CALL_TIMER_FN + 1;
	frames[0] = innermost;
	if (scenario == DEEP)
		frames[1] = number << 16;
	for (unsigned int i = 1; scenario == DRIVERS && i < 4; i++)
		frames[i] = AT_ESTIMATION + (next % 20) * 4 + i;
	/* most calls name the function of the frame inside */
	for (unsigned int i = 1; i < nframes; i++)
		calls[i] = frames[i - 1] & ~0xfffULL;
	nla_put(msg, TRACE_IRQOFF_A_FRAMES, nframes * sizeof(*frames), frames);
	nla_put(msg, TRACE_IRQOFF_A_CALLS, nframes * sizeof(*calls), calls);
}

static void put_sample(struct nl_msg *msg, int type, __u64 at_ns, __u32 flags, __u64 innermost)
{
	struct nlattr *nest = nla_nest_start(msg, type);
	__u64 different = scenario == MIXED || scenario == DRIVERS ? 1000 :
			  scenario == DEEP ? ~0ULL : 50;
	char comm[TIO_COMM_LEN];

	snprintf(comm, sizeof(comm), "task-%llu", scenario == GROUPS ? next : next % 40);
	nla_put_u64(msg, TRACE_IRQOFF_A_AT_NS, at_ns);
	nla_put_u32(msg, TRACE_IRQOFF_A_FLAGS, flags);
	nla_put_u32(msg, TRACE_IRQOFF_A_PID, 1000 + next % 4000);
	nla_put_u32(msg, TRACE_IRQOFF_A_TGID, 1000 + next % 4000);
	nla_put_string(msg, TRACE_IRQOFF_A_COMM, comm);
	nla_put_u64(msg, TRACE_IRQOFF_A_CGROUP_ID, 1 + (scenario == GROUPS ? next : next % 300));
	put_stack(msg, (next * 8 + type) % different, innermost, scenario == DEEP ? 64 : 20);
	if (scenario == LOCKS && type == TRACE_IRQOFF_A_SAMPLE && next % (2 * CPUS)) {
		nla_put_u64(msg, TRACE_IRQOFF_A_LOCK, AT_NOTHING);
		nla_put_u8(msg, TRACE_IRQOFF_A_LOCK_KIND, TRACE_IRQOFF_LOCK_WRITE);
	}
	nla_nest_end(msg, nest);
}

/*
 * a stall on CPU 0 with interrupts off, and one on each other CPU that waits for its
 * IPI answer
 */
static void put_victim(struct nl_msg *msg, __u64 end_ns)
{
	bool holder = !(next % CPUS);
	__u64 at_ns = end_ns - 20 * MS;

	nla_put_u8(msg, TRACE_IRQOFF_A_KIND,
		   holder ? TRACE_IRQOFF_KIND_HARD : TRACE_IRQOFF_KIND_SOFT);
	put_sample(msg, TRACE_IRQOFF_A_SAMPLE, at_ns,
		   holder ? TRACE_IRQOFF_F_ASKED : TRACE_IRQOFF_F_BH_OFF,
		   (holder ? AT_FLUSH_COLD : AT_CALL_MANY) + 0x44);
}

static void put_other(struct nl_msg *msg, __u64 end_ns)
{
	bool softirqs = scenario == SOFTIRQS;
	unsigned int samples = softirqs || scenario == DEEP ? TIO_SAMPLES : 2;

	nla_put_u8(msg, TRACE_IRQOFF_A_KIND,
		   softirqs ? TRACE_IRQOFF_KIND_SOFT : TRACE_IRQOFF_KIND_HARD);
	for (unsigned int i = 0; i < samples; i++)
		put_sample(msg, TRACE_IRQOFF_A_SAMPLE, end_ns - (20 - 4 * i) * MS,
			   softirqs ? TRACE_IRQOFF_F_SERVING_SOFTIRQ : TRACE_IRQOFF_F_ASKED,
			   (i ? AT_DELAY_TSC : AT_SPIN_LOCK) + 0x11);
}

static void put_driver(struct nl_msg *msg)
{
	char symbol[64];

	for (unsigned int i = 1; i < 4; i++) {
		__u64 offset = (next % 20) * 4 + i;
		struct nlattr *nest = nla_nest_start(msg, TRACE_IRQOFF_A_NAME);

		snprintf(symbol, sizeof(symbol), "estimation_timer+0x%llx/0x100 [ip_vs]", offset);
		nla_put_u64(msg, TRACE_IRQOFF_A_ADDR, AT_ESTIMATION + offset);
		nla_put_string(msg, TRACE_IRQOFF_A_SYMBOL, symbol);
		nla_nest_end(msg, nest);
	}
}

static void put_record(struct nl_msg *msg)
{
	__u64 end_ns = NOW_NS - (records - next) / CPUS * EVENT_NS + next % CPUS * 1000;

	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, next % CPUS);
	nla_put_u64(msg, TRACE_IRQOFF_A_SEQ, next / CPUS);
	nla_put_u64(msg, TRACE_IRQOFF_A_MIN_NS, 30 * MS);
	nla_put_u64(msg, TRACE_IRQOFF_A_MAX_NS, 31 * MS);
	nla_put_u64(msg, TRACE_IRQOFF_A_END_NS, end_ns);
	nla_put_u64(msg, TRACE_IRQOFF_A_THRESHOLD_NS, 10 * MS);
	nla_put_u64(msg, TRACE_IRQOFF_A_PERIOD_NS, MS);
	if (scenario == VICTIMS)
		put_victim(msg, end_ns);
	else
		put_other(msg, end_ns);
	put_sample(msg, TRACE_IRQOFF_A_END, end_ns, TRACE_IRQOFF_F_IRQS_ON, AT_SPIN_UNLOCK + 0x15);
	if (scenario == DRIVERS)
		put_driver(msg);
}

static void put_config(struct nl_msg *msg)
{
	char cpus[128] = "0-31";
	FILE *file = fopen("/sys/devices/system/cpu/online", "r");

	/* a link can be proved only if all CPUs are watched */
	if (file && fgets(cpus, sizeof(cpus), file))
		cpus[strcspn(cpus, "\n")] = '\0';
	if (file)
		fclose(file);
	nla_put_u32(msg, TRACE_IRQOFF_A_VERSION, TRACE_IRQOFF_API);
	nla_put_u8(msg, TRACE_IRQOFF_A_ENABLE, 1);
	nla_put_u32(msg, TRACE_IRQOFF_A_THRESHOLD_US, 10000);
	nla_put_u32(msg, TRACE_IRQOFF_A_PERIOD_US, 1000);
	nla_put_string(msg, TRACE_IRQOFF_A_CPUS, "default");
	nla_put_string(msg, TRACE_IRQOFF_A_WATCHED, cpus);
	nla_put_u64(msg, TRACE_IRQOFF_A_NOW_NS, NOW_NS);
	nla_put_u64(msg, TRACE_IRQOFF_A_ENABLED_NS, 1);
}

static void put_counters(struct nl_msg *msg)
{
	nla_put_u32(msg, TRACE_IRQOFF_A_CPU, next);
	nla_put_flag(msg, TRACE_IRQOFF_A_WATCHED_CPU);
	nla_put_u64(msg, TRACE_IRQOFF_A_PRODUCED, records / CPUS);
	nla_put_u64(msg, TRACE_IRQOFF_A_KEPT, records / CPUS);
}

static size_t add(char *buf, struct nl_msg *msg)
{
	size_t len = NLMSG_ALIGN(nlmsg_hdr(msg)->nlmsg_len);

	memcpy(buf, nlmsg_hdr(msg), len);
	nlmsg_free(msg);
	return len;
}

static size_t add_end(char *buf, int type)
{
	struct nl_msg *msg = nlmsg_alloc();
	struct nlmsgerr nothing = { 0 };

	nlmsg_put(msg, 0, 0, type, 0, type == NLMSG_DONE ? NLM_F_MULTI : NLM_F_CAPPED);
	nlmsg_append(msg, &nothing, type == NLMSG_DONE ? sizeof(int) : sizeof(nothing), 0);
	return add(buf, msg);
}

static size_t add_message(char *buf, void (*put)(struct nl_msg *msg))
{
	struct nl_msg *msg = nlmsg_alloc();

	genlmsg_put(msg, 0, 0, 17, 0, NLM_F_MULTI, command, TRACE_IRQOFF_GENL_VERSION);
	put(msg);
	next++;
	return add(buf, msg);
}

static int on_send(struct nl_sock *socket, struct nl_msg *msg)
{
	const struct genlmsghdr *head = nlmsg_data(nlmsg_hdr(msg));

	(void)socket;
	command = head->cmd;
	next = 0;
	return 1;
}

static int on_receive(struct nl_sock *socket, struct sockaddr_nl *from, unsigned char **buf,
		      struct ucred **cred)
{
	char *bytes = malloc(DATAGRAM);
	size_t len = 0;

	(void)socket;
	(void)cred;
	memset(from, 0, sizeof(*from));
	*buf = (unsigned char *)bytes;
	switch (command) {
	case TRACE_IRQOFF_CMD_CONFIG_GET:
		len = add_message(bytes, put_config);
		return len + add_end(bytes + len, NLMSG_ERROR);
	case TRACE_IRQOFF_CMD_COUNTER_GET:
		while (next < CPUS)
			len += add_message(bytes + len, put_counters);
		return len + add_end(bytes + len, NLMSG_DONE);
	default:
		while (next < records && len < DATAGRAM - 8192)
			len += add_message(bytes + len, put_record);
		return next < records ? len : len + add_end(bytes + len, NLMSG_DONE);
	}
}

static struct source *module_of(void)
{
	struct nl_sock *socket = nl_socket_alloc();
	struct nl_cb *cb = nl_socket_get_cb(socket);

	nl_cb_overwrite_send(cb, on_send);
	nl_cb_overwrite_recv(cb, on_receive);
	nl_cb_put(cb);
	nl_socket_disable_seq_check(socket);
	return source_on(socket, 17);
}

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

static void remove_file(const char *dir, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	unlink(path);
}

static void report(struct page *page, unsigned int by, bool json)
{
	struct summary summary;

	page->window = window_of(page->model, 0, ~0ULL);
	report_select(&page->columns, by, false, NULL);
	summary_build(&summary, page->model, by, SUMMARY_TOTAL);
	if (json)
		json_report(page, &summary);
	else
		text_report(page, &summary);
	summary_free(&summary);
}

static void list(struct page *page, const char *columns)
{
	list_select(&page->columns, page->model, columns);
	text_list(page, false);
}

static int print(struct page *page, const char *how)
{
	unsigned int by = SUMMARY_BY_DEFAULT;

	if (scenario == GROUPS)
		by = 1U << SUMMARY_COMM | 1U << SUMMARY_CPU | 1U << SUMMARY_CGROUP;
	if (!strcmp(how, "report"))
		report(page, by, false);
	else if (!strcmp(how, "report-json"))
		report(page, by, true);
	else if (!strcmp(how, "list"))
		list(page, NULL);
	else if (!strcmp(how, "list-regularity"))
		list(page, "+regularity");
	else if (!strcmp(how, "list-json"))
		json_list(page);
	else if (!strcmp(how, "list-lines"))
		json_lines(page);
	else
		return misuse("there is no command '%s'", how);
	return EXIT_DONE;
}

static int run(const char *how, const char *proc)
{
	struct filter filter = { .until_ns = ~0ULL };
	struct source *source = module_of();
	struct collection collection;
	struct rusage usage;
	size_t victims = 0;
	int ret = collect_from(&collection, source, &filter, proc, false);
	struct page page = {
		.model = &collection.model,
		.symbols = collection.symbols,
		.out = fopen("/dev/null", "w"),
	};

	if (!ret)
		ret = print(&page, how);
	fclose(page.out);
	getrusage(RUSAGE_SELF, &usage);
	for (size_t i = 0; i < collection.model.nentries; i++)
		if (collection.model.entries[i]->found.waits_for &&
		    !collection.model.entries[i]->found.probable)
			victims++;
	printf("%ld %ld %zu %zu %s\n",
	       (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000, usage.ru_maxrss,
	       collection.model.nentries, victims,
	       symbols_hidden(collection.symbols) ? "nameless" : "names");
	collect_free(&collection);
	source_close(source);
	return ret;
}

static char *capture_path(const char *dir, unsigned long number)
{
	return print_text("%s/%lu.irqoff", dir, number);
}

/* as irqoff save would on that node */
static void save_capture(const char *proc, const char *dir, unsigned long number)
{
	struct filter filter = { .until_ns = ~0ULL };
	struct source *source = module_of();
	const struct netns none = { 0 };
	struct messages messages = { 0 };
	struct collection collection;
	char *path = capture_path(dir, number);
	FILE *file = fopen(path, "w");

	source_keep(source, &messages);
	collect_from(&collection, source, &filter, proc, true);
	snprintf(collection.model.machine.host, sizeof(collection.model.machine.host), "node-%lu",
		 number);
	snprintf(collection.model.machine.boot_id, sizeof(collection.model.machine.boot_id),
		 "boot-%lu", number);
	strcpy(collection.model.machine.cpus, "0-31");
	if (!file || !capture_save(&collection, &messages, &none, false, file) || fclose(file))
		exit(failed("could not write %s", path));
	free(path);
	collect_free(&collection);
	messages_free(&messages);
	source_close(source);
}

/* by a process of its own, whose memory does not count */
static void save_captures(const char *dir, unsigned long count)
{
	pid_t pid = fork();
	int status = 1;

	if (!pid) {
		for (unsigned long i = 0; i < count; i++)
			save_capture(dir, dir, i);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		exit(failed("the captures were not written"));
}

static void print_fleet(struct fleet *fleet)
{
	struct page page = {
		.model = &fleet->all,
		.fleet = fleet,
		.window = fleet->window,
		.out = fopen("/dev/null", "w"),
	};

	fleet_select(&page.columns, SUMMARY_BY_DEFAULT, fleet->summary.victims, NULL);
	text_fleet(&page, &fleet->summary);
	fclose(page.out);
}

static int merge(const char *dir, unsigned long count)
{
	struct filter filter = { .until_ns = ~0ULL };
	struct inputs inputs = { 0 };
	struct fleet fleet;
	struct rusage usage;
	struct stat stat_of;
	__u64 from_ns;
	int ret;

	save_captures(dir, count);
	for (unsigned long i = 0; i < count; i++)
		inputs_add(&inputs, capture_path(dir, i));
	from_ns = clock_monotonic_ns();
	ret = fleet_read(&fleet, &inputs, &filter, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	print_fleet(&fleet);
	getrusage(RUSAGE_SELF, &usage);
	stat(inputs.paths[0], &stat_of);
	printf("%llu %ld %ld %llu %zu %ld\n", (clock_monotonic_ns() - from_ns) / MS,
	       (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000, usage.ru_maxrss,
	       fleet.stalls, fleet.summary.ngroups, (long)stat_of.st_size);
	fleet_free(&fleet);
	for (unsigned long i = 0; i < count; i++) {
		unlink(inputs.paths[i]);
		free((char *)inputs.paths[i]);
	}
	inputs_free(&inputs);
	return ret;
}

static int measure(char **words)
{
	struct rusage usage;
	pid_t pid = fork();

	if (!pid) {
		freopen("/dev/null", "w", stdout);
		freopen("/dev/null", "w", stderr);
		execvp(*words, words);
		_exit(127);
	}
	if (wait4(pid, NULL, 0, &usage) != pid)
		return failed("%s did not run", *words);
	printf("%ld %ld\n", (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000, usage.ru_maxrss);
	return EXIT_DONE;
}

int main(int argc, char **argv)
{
	bool merges = argc == 5 && !strcmp(argv[2], "merge");
	bool saves = argc == 5 && !strcmp(argv[2], "save");
	char proc[] = "/tmp/irqoff-speed-XXXXXX";
	int ret;

	if (argc > 2 && !strcmp(argv[1], "measure"))
		return measure(argv + 2);
	if (argc != 4 && !merges && !saves)
		return misuse("usage: speed SCENARIO COMMAND RECORDS [CAPTURES | DIRECTORY]");
	while (scenario < SCENARIOS && strcmp(argv[1], scenarios[scenario]))
		scenario++;
	if (scenario == SCENARIOS)
		return misuse("there is no scenario '%s'", argv[1]);
	records = strtoull(argv[3], NULL, 10);
	if (!mkdtemp(proc))
		return failed("no temporary directory");
	write_file(proc, "kallsyms", fixture_kallsyms);
	write_file(proc, "modules", fixture_modules);
	if (saves) {
		save_capture(proc, argv[4], 0);
		ret = EXIT_DONE;
	} else {
		ret = merges ? merge(proc, strtoul(argv[4], NULL, 10)) : run(argv[2], proc);
	}
	remove_file(proc, "kallsyms");
	remove_file(proc, "modules");
	rmdir(proc);
	return ret;
}
