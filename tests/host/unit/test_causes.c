// SPDX-License-Identifier: GPL-2.0-only
/* Known causes: reading their files, and which one a stall has. */
#include "page.h"

#include <sys/stat.h>
#include <unistd.h>

#include "agent/tally.h"
#include "causes/causes.h"

/* rows and files with ' for ", which quoted() replaces */
#define ROW(id, match)	"{'id':'" id "','match':" match \
			",'cause':'what it is','remedy':'what to do'}"
#define ROWS(rows)	"{'causes':[" rows "]}"

static struct causes causes;
static struct model model_of;

static int begin(void **state)
{
	causes = (struct causes){ 0 };
	return 0;
}

static int end(void **state)
{
	causes_free(&causes);
	model_free(&model_of);
	model_of = (struct model){ 0 };
	return 0;
}

static char *quoted(const char *text)
{
	char *copy = copy_text(text);

	for (char *c = copy; *c; c++)
		if (*c == '\'')
			*c = '"';
	return copy;
}

static char *try_rows(const char *file, const char *text)
{
	char *json = quoted(text), *wrong = causes_add(&causes, file, json);

	free(json);
	return wrong;
}

static void add_rows(const char *file, const char *text)
{
	char *wrong = try_rows(file, text);

	if (wrong)
		fail_msg("%s", wrong);
}

/* the id of the cause that a stall of this culprit and class has */
static void assert_cause(const char *culprit, enum tio_class class, const char *wanted)
{
	struct entry *entry = add_hard(&model_of, 0, model_of.nentries, 1000 * MS, 20 * MS);
	const struct cause *cause;

	entry->found.culprit = culprit ? copy_text(culprit) : NULL;
	entry->found.verdict.class = class;
	cause = cause_find(&causes, NULL, entry);
	if (strcmp(cause ? cause->id : "(none)", wanted))
		fail_msg("%s has cause %s, not %s", culprit ? culprit : "nobody",
			 cause ? cause->id : "(none)", wanted);
}

static void signatures(void **state)
{
	add_rows("f", ROWS(ROW("timer", "{'culprit':'estimation_timer'}") ","
			   ROW("sets", "{'culprit':['*_gc','call_ad'],'module':'ip_set*'}") ","
			   ROW("image", "{'culprit':'gc_*','module':'kernel'}") ","
			   ROW("host", "{'class':['stolen','ksoftirqd-wait']}") ","
			   ROW("line", "{'culprit':'(interrupt * eth0)'}")));
	assert_cause("estimation_timer [ip_vs]", TIO_CLASS_SOFTIRQ_LONG, "timer");
	assert_cause("estimation_timer", TIO_CLASS_HARDIRQ_OFF, "timer");
	assert_cause("estimation_timer2", TIO_CLASS_SOFTIRQ_LONG, "(none)");
	assert_cause("estimation_timer (many)", TIO_CLASS_SOFTIRQ_LONG, "timer");
	assert_cause("hash_ip4_gc [ip_set_hash_ip]", TIO_CLASS_SOFTIRQ_OFF, "sets");
	assert_cause("call_ad [ip_set]", TIO_CLASS_SOFTIRQ_OFF, "sets");
	assert_cause("hash_ip4_gc [other]", TIO_CLASS_SOFTIRQ_OFF, "(none)");
	assert_cause("hash_ip4_gc", TIO_CLASS_SOFTIRQ_OFF, "(none)");
	assert_cause("gc_worker", TIO_CLASS_SOFTIRQ_OFF, "image");
	assert_cause("gc_worker [nf_conntrack]", TIO_CLASS_SOFTIRQ_OFF, "(none)");
	assert_cause("gc_worker (many)", TIO_CLASS_SOFTIRQ_OFF, "(none)");
	assert_cause(NULL, TIO_CLASS_STOLEN, "host");
	assert_cause("(task stress)", TIO_CLASS_KSOFTIRQD_WAIT, "host");
	assert_cause(NULL, TIO_CLASS_UNKNOWN, "(none)");
	assert_cause("(interrupt 24 eth0)", TIO_CLASS_HARDIRQ_LONG, "line");
	assert_cause("(interrupt 24 eth1)", TIO_CLASS_HARDIRQ_LONG, "(none)");
}

/* a name says more than a pattern, and that more than all other parts together */
static void most_specific(void **state)
{
	add_rows("f", ROWS(ROW("class", "{'class':'softirq-off'}") ","
			   ROW("module", "{'module':'m','class':'softirq-off'}") ","
			   ROW("pattern", "{'culprit':['f*','none']}") ","
			   ROW("both", "{'culprit':'f*','module':'m'}") ","
			   ROW("name", "{'culprit':['*','foo']}") ","
			   ROW("later", "{'culprit':'foo'}")));
	assert_cause("bar", TIO_CLASS_SOFTIRQ_OFF, "name");
	assert_cause(NULL, TIO_CLASS_SOFTIRQ_OFF, "class");
	assert_cause("foo [m]", TIO_CLASS_SOFTIRQ_OFF, "name");
	assert_cause("fob [m]", TIO_CLASS_SOFTIRQ_OFF, "both");
	assert_cause("fob", TIO_CLASS_SOFTIRQ_OFF, "pattern");
	assert_cause("foo", TIO_CLASS_HARDIRQ_OFF, "name");
}

/* own rows go before those that come with irqoff where both say as much */
static void own_before_shipped(void **state)
{
	add_rows("own", ROWS(ROW("ours", "{'culprit':'foo'}") ","
			     ROW("shared", "{'culprit':'ours_alone'}") ","
			     ROW("wide", "{'culprit':'b*'}")));
	add_rows("shipped", "{'causes':[" ROW("theirs", "{'culprit':'foo'}") ","
		 ROW("shared", "{'culprit':'theirs_alone'}") ","
		 ROW("exact", "{'culprit':'bar'}")
		 "],'hints':{'unknown':'shipped'}}");
	assert_cause("foo", TIO_CLASS_HARDIRQ_OFF, "ours");
	assert_cause("bar", TIO_CLASS_HARDIRQ_OFF, "exact");
	/* a row with the id of a shipped one stands in its place */
	assert_cause("ours_alone", TIO_CLASS_HARDIRQ_OFF, "shared");
	assert_cause("theirs_alone", TIO_CLASS_HARDIRQ_OFF, "(none)");
	assert_int_equal(causes.count, 5);
	assert_string_equal(causes.hints[TIO_CLASS_UNKNOWN], "shipped");
	assert_string_equal(causes.files[cause_by_id(&causes, "shared")->file], "own");
}

/* of a wait for a lock, the lock is what a signature is compared with, and not who waited */
static void of_a_lock(void **state)
{
	struct symbols *symbols = symbols_of(fixture_kallsyms, fixture_modules);
	struct entry *entry = add_hard(&model_of, 0, 0, 1000 * MS, 20 * MS);
	const struct cause *cause;

	add_rows("f", ROWS(ROW("waiter", "{'culprit':'do_exit'}") ","
			   ROW("path", "{'path':'memory_stat_format'}") ","
			   ROW("lock", "{'culprit':'(waits for tasklist_lock*'}")));
	entry->found.verdict.class = TIO_CLASS_HARDIRQ_OFF;
	entry->found.verdict.evidence = TIO_EVIDENCE_END;
	entry->found.verdict.sample = TIO_END;
	set_stack(&entry->rec.end, AT_MEMORY_STAT + 0x80, 0ULL);
	assert_string_equal(cause_find(&causes, symbols, entry)->id, "path");
	entry->found.lock = copy_text("(waits for tasklist_lock, write)");
	entry->found.waiter = copy_text("do_exit");
	/* of a lock that is not known who waits is all there is */
	assert_string_equal(cause_find(&causes, symbols, entry)->id, "waiter");
	entry->rec.end.lock_kind = TRACE_IRQOFF_LOCK_WRITE;
	cause = cause_find(&causes, symbols, entry);
	assert_non_null(cause);
	assert_string_equal(cause->id, "lock");
	entry->found.lock[1] = 'W';
	assert_null(cause_find(&causes, symbols, entry));
	symbols_close(symbols);
	assert_cause("do_exit", TIO_CLASS_HARDIRQ_OFF, "waiter");
}

/* a row that no stall has */
static void no_stall(void **state)
{
	add_rows("f", ROWS("{'id':'syn','cause':'c','remedy':'r'}"));
	assert_cause("foo", TIO_CLASS_HARDIRQ_OFF, "(none)");
	assert_cause(NULL, TIO_CLASS_UNKNOWN, "(none)");
	assert_non_null(cause_by_id(&causes, "syn"));
}

/* any function of the stack that names the culprit */
static void on_the_stack(void **state)
{
	struct symbols *symbols = symbols_of(fixture_kallsyms, fixture_modules);
	struct entry *entry = add_asked(&model_of, 0, 0, 1000 * MS, 20 * MS, 0);
	const struct cause *cause;

	add_rows("f", ROWS(ROW("plain", "{'culprit':'cgroup_rstat_flush*'}") ","
			   ROW("memory", "{'culprit':'cgroup_*','path':['no','memory_stat_*']}")));
	entry->found.culprit = copy_text("cgroup_rstat_flush_locked");
	entry->found.verdict.evidence = TIO_EVIDENCE_SAMPLE;
	set_stack(&entry->rec.samples[0], AT_FLUSH_COLD + 1, AT_SYSCALL + 1, 0ULL);
	cause = cause_find(&causes, symbols, entry);
	assert_string_equal(cause->id, "plain");
	set_stack(&entry->rec.samples[0], AT_FLUSH_COLD + 1, AT_MEMORY_STAT + 1, AT_SYSCALL + 1,
		  0ULL);
	cause = cause_find(&causes, symbols, entry);
	assert_string_equal(cause->id, "memory");
	symbols_close(symbols);
}

/* what is wrong is said in one sentence with file and row, and nothing of the file is taken */
static void says_what_is_wrong(void **state)
{
	static const char * const files[][2] = {
		{ "{'causes':[\n\n{]}", "f: line 3 is no JSON: " },
		{ "", "f: line 1 is no JSON: " },
		{ "{} x", "f: line 1 is no JSON: " },
		{ "[]", "f: it is no object with 'causes'" },
		{ "{'cause':[]}", "f: unknown key 'cause'; a file takes causes and hints" },
		{ "{'causes':{}}", "f: 'causes' is no list" },
		{ "{'a\\u001b\\nb':1}", "f: unknown key 'a??b'; a file takes " },
		{ "{'hints':{'slow':'x'}}", "f: 'hints' has 'slow', which is no class; "
		  "the classes are unknown, hardirq-off, " },
		{ "{'hints':{'$note':'x'}}", "f: 'hints' has '$note', which is no class; " },
		{ "{'hints':{'stolen':1}}", "f: 'stolen' is no string" },
		{ ROWS("1"), "f: row 1: it is no object" },
		{ ROWS("{}"), "f: row 1: 'id' is missing" },
		{ ROWS("{'id':'Foo bar'}"), "f: row 1 (Foo bar): 'Foo bar' is no id: " },
		{ ROWS("{'id':'-a'}"), "f: row 1 (-a): '-a' is no id: " },
		{ ROWS("{'id':''}"), "f: row 1 (): 'id' is empty" },
		{ ROWS("{'id':'a','cause':'c'}"), "f: row 1 (a): 'remedy' is missing" },
		{ ROWS("{'id':'a','remedy':'c'}"), "f: row 1 (a): 'cause' is missing" },
		{ ROWS("{'id':'a','what':'c'}"), "f: row 1 (a): unknown key 'what'; "
		  "a row takes id, match, cause, remedy, count, fixed, links and sources" },
		{ ROWS("{'id':'a','count':['c']}"), "f: row 1 (a): 'count' is no string" },
		{ ROWS(ROW("ok", "{'culprit':'x'}") "," ROW("ok", "{'culprit':'y'}")),
		  "f: row 2 (ok): another row has this id" },
		{ ROWS(ROW("a", "{}")), "f: row 1 (a): 'match' is empty" },
		{ ROWS(ROW("a", "'x'")), "f: row 1 (a): 'match' is no object" },
		{ ROWS(ROW("a", "{'culprits':'x'}")),
		  "f: row 1 (a): 'match' takes culprit, path, module and class, not 'culprits'" },
		{ ROWS(ROW("a", "{'$note':'x'}")),
		  "f: row 1 (a): 'match' takes culprit, path, module and class, not '$note'" },
		{ ROWS(ROW("a", "{'culprit':[]}")), "f: row 1 (a): 'culprit' is empty" },
		{ ROWS(ROW("a", "{'culprit':[1]}")), "f: row 1 (a): 'culprit' is no string" },
		{ ROWS(ROW("a", "{'class':['slow']}")),
		  "f: row 1 (a): 'class' has 'slow', which is no class; the classes are " },
		{ ROWS("{'id':'a','fixed':{'since':'soon'}}"),
		  "f: row 1 (a): 'soon' is no release of two numbers, such as 6.2" },
		{ ROWS("{'id':'a','fixed':{'since':'6.2.1'}}"),
		  "f: row 1 (a): '6.2.1' is no release of two numbers, such as 6.2" },
		{ ROWS("{'id':'a','fixed':{'commits':'705dd3444081'}}"),
		  "f: row 1 (a): 'fixed' has no 'since'" },
		{ ROWS("{'id':'a','fixed':{'$note':'x'}}"),
		  "f: row 1 (a): 'fixed' takes since and commits, not '$note'" },
		{ ROWS("{'id':'a','fixed':{'since':'6.2','commits':'705dd'}}"),
		  "f: row 1 (a): '705dd' is no commit's id of 12 to 40 digits" },
		{ ROWS("{'id':'a','fixed':{'in':'6.2'}}"),
		  "f: row 1 (a): 'fixed' takes since and commits, not 'in'" },
		{ ROWS("{'id':'a','links':'http://x'}"),
		  "f: row 1 (a): the link 'http://x' does not begin with https://" },
		{ ROWS("{'id':'a','sources':'x'}"), "f: row 1 (a): 'sources' is no object" },
		{ ROWS("{'id':'a','sources':{}}"), "f: row 1 (a): 'sources' is empty" },
		{ ROWS("{'id':'a','sources':{'cause':'x'}}"),
		  "f: row 1 (a): 'sources' takes signature, remedy, count and fixed, not 'cause'" },
		{ ROWS("{'id':'a','sources':{'remedy':[]}}"), "f: row 1 (a): 'remedy' is empty" },
		{ ROWS("{'id':'a','sources':{'fixed':1}}"), "f: row 1 (a): 'fixed' is no string" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char *wrong = try_rows("f", files[i][0]);

		if (!wrong || strncmp(wrong, files[i][1], strlen(files[i][1])))
			fail_msg("%s: %s, not %s", files[i][0], wrong ? wrong : "nothing is wrong",
				 files[i][1]);
		free(wrong);
		assert_int_equal(causes.count, 0);
		assert_int_equal(causes.refused, i + 1);
	}
}

/* keys for other programs, and names that act on a terminal */
static void takes(void **state)
{
	add_rows("f", "{'$':1,'causes':[{'$b':1,'id':'a-_','cause':'a\\u001b[m','remedy':'r'}]}\n");
	add_rows("g", ROWS("{'id':'b','cause':'c','remedy':'r','fixed':{'since':'6.12'}}"));
	add_rows("h", ROWS("{'id':'c','cause':'c','remedy':'r','links':['https://a','https://b']}"));
	add_rows("i", ROWS("{'id':'d','cause':'c','remedy':'r','sources':{'remedy':['x','y']}}"));
	assert_string_equal(causes.rows[0].cause, "a?[m");
	assert_string_equal(causes.rows[1].since, "6.12");
	assert_int_equal(causes.rows[2].links.count, 2);
	assert_false(causes.rows[0].stall);
}

/* so many characters of a cause that has bytes of @each */
static char *try_length(const char *each, unsigned int count)
{
	char *more = alloc(count, strlen(each) + 1), *rows, *wrong;

	for (unsigned int i = 0; i < count; i++)
		strcat(more, each);
	rows = print_text(ROWS("{'id':'a','cause':'%s','remedy':'r'}"), more);
	wrong = try_rows("f", rows);
	free(rows);
	free(more);
	causes_free(&causes);
	return wrong;
}

/* the schema counts characters, too */
static void counts_characters(void **state)
{
	static const char * const each[] = {
		"c", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x90\xa7", "\xff", "\x80",
	};

	for (size_t i = 0; i < ARRAY_SIZE(each); i++) {
		char *wrong = try_length(each[i], 601);

		assert_null(try_length(each[i], 600));
		assert_non_null(wrong);
		assert_string_equal(wrong,
				    "f: row 1 (a): 'cause' has 601 characters; 600 at most");
		free(wrong);
	}
}

static void write_file(const char *directory, const char *name, const char *text)
{
	char *file_name = print_text("%s/%s", directory, name);
	FILE *file = fopen(file_name, "w");

	assert_non_null(file);
	text = quoted(text);
	fputs(text, file);
	free((void *)text);
	assert_int_equal(fclose(file), 0);
	free(file_name);
}

/* files of a directory in the order of their names; one that is wrong is left out alone */
static void directories(void **state)
{
	char directory[] = "/tmp/irqoff-causes-XXXXXX", *command;

	assert_non_null(mkdtemp(directory));
	write_file(directory, "20.json", ROWS(ROW("same", "{'culprit':'late'}")));
	write_file(directory, "10.json", ROWS(ROW("same", "{'culprit':'early'}")));
	write_file(directory, "05.json", "{");
	write_file(directory, "old.json~", "{");
	write_file(directory, ".hidden.json", "{");
	setenv("IRQOFF_CAUSES", directory, 1);
	causes_open(&causes);
	unsetenv("IRQOFF_CAUSES");
	assert_int_equal(causes.nfiles, 2);
	assert_int_equal(causes.refused, 1);
	assert_cause("early", TIO_CLASS_HARDIRQ_OFF, "same");
	assert_cause("late", TIO_CLASS_HARDIRQ_OFF, "(none)");
	command = print_text("rm -r %s", directory);
	assert_int_equal(system(command), 0);
	free(command);
}

static void open_shipped(void)
{
	setenv("IRQOFF_CAUSES", "../../../userspace/causes.json", 1);
	causes_open(&causes);
	unsetenv("IRQOFF_CAUSES");
	assert_int_equal(causes.refused, 0);
	assert_int_equal(causes.nfiles, 1);
	/* each has a counter, and so have a dozen of one's own */
	assert_in_range(causes.count, 1, TALLY_CAUSES - 12);
}

/* the culprits that kernels from 4.19 to 7.2 have, by their sources and by tests/real */
static void shipped(void **state)
{
	static const struct {
		const char *culprit;
		enum tio_class class;
		const char *id;
	} known[] = {
		{ "estimation_timer [ip_vs]", TIO_CLASS_SOFTIRQ_LONG, "ip_vs-estimation" },
		{ "(waits for tasklist_lock, write)", TIO_CLASS_HARDIRQ_OFF, "tasklist-lock" },
		{ "cgroup_rstat_flush_locked", TIO_CLASS_HARDIRQ_OFF, "cgroup-rstat-flush" },
		{ "cgroup_rstat_flush_irqsafe", TIO_CLASS_HARDIRQ_OFF, "cgroup-rstat-flush" },
		{ "css_rstat_flush", TIO_CLASS_HARDIRQ_OFF, "cgroup-rstat-flush" },
		{ "__fib6_clean_all", TIO_CLASS_SOFTIRQ_OFF, "ipv6-table-walk" },
		{ "fib6_gc_timer_cb", TIO_CLASS_SOFTIRQ_LONG, "ipv6-table-walk" },
		{ "__neigh_ifdown", TIO_CLASS_SOFTIRQ_OFF, "neighbour-table-flush" },
		{ "nf_conntrack_hash_resize [nf_conntrack]", TIO_CLASS_SOFTIRQ_OFF,
		  "conntrack-resize" },
		{ "nf_ct_iterate_cleanup [nf_conntrack]", TIO_CLASS_SOFTIRQ_OFF,
		  "conntrack-walk" },
		/* it walks with softirqs on */
		{ "gc_worker [nf_conntrack]", TIO_CLASS_SOFTIRQ_OFF, "(none)" },
		{ "get_next_corpse [other]", TIO_CLASS_SOFTIRQ_OFF, "(none)" },
		{ "ip_set_flush [ip_set]", TIO_CLASS_SOFTIRQ_OFF, "ipset-replacement" },
		{ "hash_ip4_gc_do [ip_set_hash_ip]", TIO_CLASS_SOFTIRQ_OFF, "ipset-replacement" },
		{ "hash_netport4_resize [ip_set_hash_netport]", TIO_CLASS_SOFTIRQ_OFF,
		  "ipset-replacement" },
		{ "nft_rbtree_walk [nf_tables]", TIO_CLASS_SOFTIRQ_OFF,
		  "nftables-set-replacement" },
		{ "nft_do_chain_ipv4 [nf_tables]", TIO_CLASS_SOFTIRQ_LONG, "long-rule-chain" },
		{ "do_add_counters [ip_tables]", TIO_CLASS_SOFTIRQ_OFF, "iptables-counters" },
		{ "do_ipt_set_ctl [ip_tables]", TIO_CLASS_SOFTIRQ_OFF, "iptables-counters" },
		{ "console_unlock", TIO_CLASS_HARDIRQ_OFF, "printk-serial" },
		{ "console_emit_next_record", TIO_CLASS_HARDIRQ_OFF, "printk-serial" },
		{ "console_flush_one_record", TIO_CLASS_HARDIRQ_OFF, "printk-serial" },
		{ "nmi_cpu_backtrace", TIO_CLASS_HARDIRQ_OFF, "printk-serial" },
		{ "validate_slab_node", TIO_CLASS_HARDIRQ_OFF, "slab-listing" },
		{ "validate_slab_cache", TIO_CLASS_HARDIRQ_OFF, "slab-listing" },
		{ "slab_debug_trace_open", TIO_CLASS_HARDIRQ_OFF, "slab-listing" },
		{ "count_partial", TIO_CLASS_HARDIRQ_OFF, "slab-listing" },
		{ "sched_cfs_period_timer", TIO_CLASS_HARDIRQ_LONG, "cfs-unthrottling" },
		{ "distribute_cfs_runtime", TIO_CLASS_HARDIRQ_OFF, "cfs-unthrottling" },
		{ "(task stress)", TIO_CLASS_KSOFTIRQD_WAIT, "ksoftirqd-behind-task" },
		{ NULL, TIO_CLASS_STOLEN, "stolen-vcpu" },
		{ NULL, TIO_CLASS_UNKNOWN, "(none)" },
		{ "vxlan_cleanup [vxlan]", TIO_CLASS_SOFTIRQ_LONG, "vxlan-aging" },
		{ "do_exit", TIO_CLASS_HARDIRQ_OFF, "tasklist-lock" },
		{ "exit_notify", TIO_CLASS_HARDIRQ_OFF, "tasklist-lock" },
		{ "release_task", TIO_CLASS_HARDIRQ_OFF, "tasklist-lock" },
		{ "copy_process", TIO_CLASS_HARDIRQ_OFF, "tasklist-lock" },
		{ "do_group_exit", TIO_CLASS_HARDIRQ_OFF, "threads-killed" },
		{ "do_task_stat", TIO_CLASS_HARDIRQ_OFF, "thread-statistics" },
		{ "getrusage", TIO_CLASS_HARDIRQ_OFF, "thread-statistics" },
		{ "serial8250_interrupt", TIO_CLASS_HARDIRQ_LONG, "serial-interrupt" },
		{ "(interrupt 4 ttyS0)", TIO_CLASS_HARDIRQ_LONG, "serial-interrupt" },
		{ "(interrupt 14 eth0)", TIO_CLASS_HARDIRQ_LONG, "(none)" },
		{ "load_balance", TIO_CLASS_HARDIRQ_OFF, "pinned-tasks-balance" },
		{ "sched_balance_rq", TIO_CLASS_HARDIRQ_OFF, "pinned-tasks-balance" },
		{ "free_pcppages_bulk", TIO_CLASS_HARDIRQ_OFF, "zone-lock" },
		{ "drain_pages_zone", TIO_CLASS_HARDIRQ_OFF, "zone-lock" },
		{ "blkg_destroy_all", TIO_CLASS_HARDIRQ_OFF, "blkg-removal" },
		{ "_base_interrupt [mpt3sas]", TIO_CLASS_HARDIRQ_LONG, "sas-completions" },
		{ "complete_cmd_fusion [megaraid_sas]", TIO_CLASS_HARDIRQ_LONG, "sas-completions" },
		{ "(interrupt 40 mpt3sas0-msix3)", TIO_CLASS_HARDIRQ_LONG, "sas-completions" },
		{ "nvme_irq [nvme]", TIO_CLASS_HARDIRQ_LONG, "nvme-completions" },
		{ "(interrupt 30 nvme0q1)", TIO_CLASS_HARDIRQ_LONG, "nvme-completions" },
		{ "__wbinvd", TIO_CLASS_HARDIRQ_LONG, "cache-flush" },
		{ "nf_conncount_count [nf_conncount]", TIO_CLASS_SOFTIRQ_LONG, "connection-limit" },
		{ "find_or_evict [other]", TIO_CLASS_SOFTIRQ_LONG, "(none)" },
		{ "inet_csk_get_port", TIO_CLASS_SOFTIRQ_OFF, "bind-conflict" },
		{ "br_fdb_delete_by_port [bridge]", TIO_CLASS_SOFTIRQ_OFF, "bridge-port-flush" },
		{ "eventfd_write", TIO_CLASS_HARDIRQ_OFF, "(none)" },
	};

	open_shipped();
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		assert_cause(known[i].culprit, known[i].class, known[i].id);
	/* each class that no row is about by itself has a hint */
	for (unsigned int class = 0; class < TIO_CLASSES; class++)
		if (!causes.hints[class])
			assert_cause(NULL, class, class == TIO_CLASS_STOLEN ? "stolen-vcpu" :
						  "ksoftirqd-behind-task");
}

/* the id of the cause of a stall with this culprit, and with @caller on the stack */
static void assert_path(const char *culprit, const char *caller, enum tio_class class,
			const char *wanted)
{
	char *kallsyms = print_text("ffffffff81000000 T _stext\n"
				    "ffffffff81100000 t %s\n"
				    "ffffffff81110000 T _etext\n", caller);
	struct symbols *symbols = symbols_of(kallsyms, "");
	struct entry *entry = add_asked(&model_of, 0, model_of.nentries, 1000 * MS, 20 * MS, 0);
	const struct cause *cause;

	entry->found.culprit = copy_text(culprit);
	entry->found.verdict = (struct tio_verdict){
		.class = class,
		.evidence = TIO_EVIDENCE_SAMPLE,
	};
	set_stack(&entry->rec.samples[0], 0xffffffff81100001ULL, 0ULL);
	cause = cause_find(&causes, symbols, entry);
	if (strcmp(cause ? cause->id : "(none)", wanted))
		fail_msg("%s of %s has cause %s, not %s", culprit, caller,
			 cause ? cause->id : "(none)", wanted);
	symbols_close(symbols);
	free(kallsyms);
}

/* by the functions on the stack of kernels up to 6.14, and of later ones */
static void shipped_paths(void **state)
{
	static const struct {
		const char *culprit, *caller, *id;
	} known[] = {
		{ "__mem_cgroup_flush_stats", "mem_cgroup_css_rstat_flush", "memcg-stat-flush" },
		{ "cgroup_rstat_flush_locked", "do_flush_stats", "memcg-stat-flush" },
		{ "cgroup_rstat_flush", "mem_cgroup_flush_stats", "memcg-stat-flush" },
		{ "css_rstat_flush", "__mem_cgroup_flush_stats", "memcg-stat-flush" },
		{ "flush_memcg_stats_dwork", "process_one_work", "(none)" },
		{ "cgroup_rstat_flush_locked", "blkcg_rstat_flush", "blkcg-rstat-flush" },
		{ "__mem_cgroup_flush_stats", "blkcg_rstat_flush", "blkcg-rstat-flush" },
		{ "cgroup_rstat_flush_locked", "cpu_stat_show", "cgroup-rstat-flush" },
		{ "take_cpu_down", "multi_cpu_stop", "stop-machine" },
		{ "shrink_inactive_list", "isolate_lru_folios", "lru-isolation" },
		{ "shrink_active_list", "isolate_lru_pages", "lru-isolation" },
		{ "shrink_active_list", "free_unref_page_list", "(none)" },
		{ "walk_zones_in_node", "pagetypeinfo_showfree_print", "pagetypeinfo" },
		{ "walk_zones_in_node", "frag_show_print", "(none)" },
		{ "console_unlock", "dump_tasks", "oom-dump" },
		{ "console_flush_all", "dump_header", "oom-dump" },
		/* memory did not run out */
		{ "console_unlock", "warn_alloc", "printk-serial" },
		{ "console_unlock", "netpoll_send_skb_on_dev", "netconsole" },
		{ "write_msg", "__netpoll_send_skb", "netconsole" },
		{ "raw_spin_rq_lock_nested", "consume_dispatch_q", "sched_ext-queue" },
		{ "folio_unlock", "folio_wake_bit", "page-waiters" },
		{ "iommu_unmap", "qi_submit_sync", "iommu-invalidation" },
		{ "iommu_unmap", "wait_on_sem", "iommu-invalidation" },
		{ "perf_event_nmi_handler", "resilient_queued_spin_lock_slowpath",
		  "bpf-lock-timeout" },
	};

	open_shipped();
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		assert_path(known[i].culprit, known[i].caller, TIO_CLASS_HARDIRQ_OFF, known[i].id);
	assert_path("net_rx_action", "tcp_collapse", TIO_CLASS_SOFTIRQ_LONG, "tcp-collapse");
	assert_path("net_rx_action", "tcp_data_queue", TIO_CLASS_SOFTIRQ_LONG, "(none)");
	assert_path("rcu_core", "rcu_do_batch", TIO_CLASS_SOFTIRQ_LONG, "rcu-callbacks");
	assert_path("ip6_route_input", "fib6_select_path", TIO_CLASS_SOFTIRQ_LONG,
		    "ipv6-multipath-loop");
	assert_path("__dev_set_rx_mode", "virtnet_send_command", TIO_CLASS_SOFTIRQ_OFF,
		    "virtio-net-command");
	assert_path("efi_call_rts", "__efi_call", TIO_CLASS_SOFTIRQ_OFF, "efi-runtime");
	assert_path("(task threads)", "do_exit", TIO_CLASS_KSOFTIRQD_WAIT, "many-threads-end");
	assert_path("(task cat)", "sys_read", TIO_CLASS_KSOFTIRQD_WAIT, "ksoftirqd-behind-task");
}

/* small ones, so that the golden files do not follow each word of those that are shipped */
static void open_few(void)
{
	setenv("IRQOFF_CAUSES", "causes-few.json", 1);
	causes_open(&causes);
	unsetenv("IRQOFF_CAUSES");
	assert_int_equal(causes.nfiles, 1);
}

static void assert_report(unsigned int by, bool json, const char *golden)
{
	struct page printed = page();

	open_few();
	printed.causes = &causes;
	report_page(&printed, by, by == SUMMARY_BY_DEFAULT ? "culprit,class,total,for" : NULL,
		    json);
	if (golden)
		assert_golden(golden, out, &text);
	causes_free(&causes);
}

static void under_culprits(void **state)
{
	assert_report(SUMMARY_BY_DEFAULT, false, "report-causes.txt");
}

static void in_json(void **state)
{
	assert_report(SUMMARY_BY_DEFAULT, true, "report-causes.json");
}

/* a group of several culprits has no cause, one of several classes none that goes by the class */
static void other_keys(void **state)
{
	assert_report(1U << SUMMARY_CPU | 1U << SUMMARY_CLASS, true, NULL);
	fclose(out);
	assert_null(strstr(text, "\"id\": \"ip_vs-estimation\""));
	assert_null(strstr(text, "Look at"));
	free(text);
}

static void by_culprit_alone(void **state)
{
	assert_report(1U << SUMMARY_CULPRIT, true, NULL);
	fclose(out);
	assert_non_null(strstr(text, "\"id\": \"ip_vs-estimation\""));
	assert_null(strstr(text, "\"id\": \"host\""));
	assert_null(strstr(text, "Look at"));
	free(text);
}

/* told once, also where nobody and somebody have it */
static void told_once(void **state)
{
	struct page printed = page();
	const char *first, *again;

	add_rows("f", ROWS(ROW("one", "{'class':['stolen','unknown','hardirq-off']}") ","
			   ROW("end", "{'culprit':'cgroup_rstat_flush_locked'}")));
	printed.causes = &causes;
	report_page(&printed, SUMMARY_BY_DEFAULT, NULL, false);
	fclose(out);
	first = strstr(text, "\n    cause (one): what it is\n    remedy: what to do\nunknown: ");
	assert_non_null(first);
	again = strstr(first, " does not say)\n    cause (one): see above\n");
	assert_non_null(again);
	assert_non_null(strstr(again, "memory_stat_format, hardirq-off\n"
				      "    cause (one): see above\n    seen "));
	/* only ends were seen of it */
	assert_non_null(strstr(again, "\ncgroup_rstat_flush_locked, hardirq-off\n"
				      "    possible cause (end): what it is\n"));
	assert_null(strstr(again, "(one): what it is"));
	free(text);
	causes_free(&causes);
}

/* why no file was found: the variable's name, or the path */
static void missing(void **state)
{
	char directory[] = "/tmp/irqoff-causes-XXXXXX", *why, *wanted;

	assert_non_null(mkdtemp(directory));
	setenv("IRQOFF_CAUSES", "", 1);
	why = causes_missing();
	assert_string_equal(why, "IRQOFF_CAUSES is empty, so no cause is known");
	free(why);
	setenv("IRQOFF_CAUSES", directory, 1);
	why = causes_missing();
	wanted = print_text("IRQOFF_CAUSES is '%s', and no file of causes is there", directory);
	assert_string_equal(why, wanted);
	free(wanted);
	free(why);
	unsetenv("IRQOFF_CAUSES");
	why = causes_missing();
	assert_non_null(strstr(why, " belong in /"));
	assert_non_null(strstr(why, "/share/trace-irqoff/causes.json"));
	free(why);
	rmdir(directory);
}

/* a report with @causes, as text or JSON, has this */
static void assert_report_has(bool json, const char *wanted)
{
	struct page printed;

	assert_int_equal(open_page(NULL), 0);
	printed = page();
	printed.causes = &causes;
	report_page(&printed, SUMMARY_BY_DEFAULT, NULL, json);
	fclose(out);
	if (!strstr(text, wanted))
		fail_msg("no '%s' in\n%s", wanted, text);
	free(text);
	close_page(NULL);
}

/* an answer says itself that it lacks causes, and why */
static void says_what_is_lacking(void **state)
{
	char *wrong;

	setenv("IRQOFF_CAUSES", "", 1);
	assert_report_has(false, "\nCauses are missing: IRQOFF_CAUSES is empty, so no cause is ");
	assert_report_has(true, "\"causes_missing\": \"IRQOFF_CAUSES is empty, so no cause is ");
	unsetenv("IRQOFF_CAUSES");
	wrong = try_rows("f", "{");
	free(wrong);
	assert_report_has(false, "\nCauses are missing: no file of known causes could be read.\n");
	add_rows("g", ROWS(ROW("a", "{'culprit':'x'}")));
	assert_report_has(false, "\nCauses are missing: 1 file of known causes is left out.\n");
	causes_free(&causes);
	add_rows("g", ROWS(ROW("a", "{'culprit':'x'}")));
	assert_report_has(true, "\"causes_missing\": null");
}

static void as_list(void **state)
{
	struct page printed = { .screen.width = 80, .out = NULL };
	size_t size;

	open_few();
	out = open_memstream(&text, &size);
	printed.out = out;
	text_causes(&printed, &causes);
	for (size_t i = 0; i < 2; i++)
		text_cause_whole(&printed, &causes, &causes.rows[2 * i]);
	assert_golden("causes.txt", out, &text);
	out = open_memstream(&text, &size);
	json_causes(&causes, NULL, out);
	assert_golden("causes.json", out, &text);
}

int main(void)
{
#define test(name)	cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		test(signatures),
		test(most_specific),
		test(own_before_shipped),
		test(of_a_lock),
		test(no_stall),
		test(on_the_stack),
		test(says_what_is_wrong),
		test(takes),
		test(counts_characters),
		test(directories),
		test(shipped),
		test(shipped_paths),
		test_page(under_culprits),
		test_page(in_json),
		test_page(other_keys),
		test_page(by_culprit_alone),
		test_page(told_once),
		test(missing),
		test(says_what_is_lacking),
		test(as_list),
	};

	return cmocka_run_group_tests_name("causes", tests, NULL, NULL);
}
