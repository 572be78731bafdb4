// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other network namespaces: entered, left, and passed over. This takes root, or a user namespace,
 * in which anybody is root.
 */
#include "fixture.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <netlink/genl/genl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/netns.h"
#include "capture/capture.h"
#include "capture/capture_meta.h"
#include "capture/capture_read.h"
#include "capture/capture_texts.h"

static pid_t child;		/* has a network namespace of its own */
static char number[16];
static struct netns netns;
static unsigned int visits;

static __u64 inode_of(const char *path)
{
	struct stat found = { 0 };

	stat(path, &found);
	return found.st_ino;
}

static __u64 own(void)
{
	return inode_of("/proc/self/ns/net");
}

static __u64 inode_of_child(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/net", child);
	return inode_of(path);
}

static int start_child(void **state)
{
	int fds[2];
	char done;

	if (pipe(fds))
		return -1;
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (unshare(CLONE_NEWNET) || write(fds[1], "", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(fds[1]);
	if (read(fds[0], &done, 1) != 1)
		return -1;
	close(fds[0]);
	snprintf(number, sizeof(number), "%d", child);
	netns = (struct netns){ 0 };
	visits = 0;
	return 0;
}

static void end_child(void)
{
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	child = 0;
}

static int clean(void **state)
{
	end_child();
	return 0;
}

static void visit(void *context, const char *value, __u64 inode)
{
	visits++;
	assert_ptr_equal(context, &visits);
	assert_string_equal(value, number);
	assert_true(inode == inode_of_child());
	assert_true(own() == inode);
}

static void enters_and_leaves(void **state)
{
	__u64 home = own();

	assert_true(inode_of_child() != home);
	assert_int_equal(netns_want(&netns, number, false), EXIT_DONE);
	netns_visit(&netns, visit, &visits);
	assert_int_equal(visits, 1);
	assert_true(own() == home);
}

static void passes_over_what_is_gone(void **state)
{
	assert_int_equal(netns_want(&netns, number, false), EXIT_DONE);
	end_child();
	netns_visit(&netns, visit, &visits);
	assert_int_equal(visits, 0);
}

/* the process's number is another one's now */
static void passes_over_another_process(void **state)
{
	assert_int_equal(netns_want(&netns, number, false), EXIT_DONE);
	netns.some[0].inode++;
	netns_visit(&netns, visit, &visits);
	assert_int_equal(visits, 0);
}

static void refuses(void **state)
{
	static const char * const misused[] = { "", ".", "..", "/run/netns/a", "a/b" };

	for (unsigned int i = 0; i < ARRAY_SIZE(misused); i++)
		assert_int_equal(netns_want(&netns, misused[i], false), EXIT_USAGE);
	assert_int_equal(netns_want(&netns, "irqoff-no-such-namespace", false), EXIT_FAILED);
	/* above the largest pid_max */
	assert_int_equal(netns_want(&netns, "4194305", false), EXIT_FAILED);
	assert_int_equal(netns.nsome, 0);
	for (unsigned int i = 0; i < NETNS_MOST; i++)
		assert_int_equal(netns_want(&netns, number, false), EXIT_DONE);
	assert_int_equal(netns_want(&netns, number, false), EXIT_USAGE);
	assert_int_equal(netns_want(&netns, "all", false), EXIT_DONE);
	assert_true(netns.all);
}

/* what a capture has of the child's namespace */
struct found {
	unsigned int own;	/* files of this namespace */
	unsigned int others;	/* of the child's */
	unsigned int named;	/* of these, with a name */
	char snmp[2][4096];	/* of both */
};

static void look_at(struct found *found, struct nlmsghdr *message)
{
	struct nlattr *tb[CAPTURE_A_MAX + 1];
	bool other;

	if (genlmsg_parse(message, 0, tb, CAPTURE_A_MAX, NULL) ||
	    genlmsg_hdr(message)->cmd != CAPTURE_CMD_TEXT)
		return;
	other = tb[CAPTURE_A_NETNS_INODE];
	found->own += !other;
	found->others += other && nla_get_u64(tb[CAPTURE_A_NETNS_INODE]) == inode_of_child();
	found->named += other && tb[CAPTURE_A_NETNS] &&
			!strcmp(nla_get_string(tb[CAPTURE_A_NETNS]), number);
	if (!strcmp(nla_get_string(tb[CAPTURE_A_PATH]), "/proc/net/snmp"))
		nla_memcpy(found->snmp[other], tb[CAPTURE_A_DATA], sizeof(found->snmp[0]) - 1);
}

static struct found captured(bool strip)
{
	const struct model model = { 0 };
	struct capture_writer *writer;
	struct capture_reader *reader;
	struct nlmsghdr *message;
	struct found found = { 0 };
	char *bytes = NULL;
	size_t len;
	FILE *file = open_memstream(&bytes, &len);

	writer = capture_writer(file);
	capture_put_meta(writer, &model, strip, NULL);
	capture_put_texts(writer, &netns, strip);
	assert_true(capture_writer_close(writer));
	fclose(file);
	file = fmemopen(bytes, len, "r");
	reader = capture_reader(file);
	while ((message = capture_next(reader)))
		look_at(&found, message);
	capture_reader_close(reader);
	fclose(file);
	free(bytes);
	return found;
}

/* nothing leads there, which a namespace counts */
static void send_in_vain(void)
{
	const struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	assert_int_equal(sendto(fd, "", 1, 0, (const struct sockaddr *)&to, sizeof(to)), -1);
	close(fd);
}

static void counters_of_both(void **state)
{
	struct found found;

	send_in_vain();
	assert_int_equal(netns_want(&netns, number, false), EXIT_DONE);
	found = captured(false);
	assert_in_range(found.own, 3, 5);
	assert_int_equal(found.others, found.own - 1);
	assert_int_equal(found.named, found.others);
	/* nobody ever sent anything there */
	assert_non_null(strstr(found.snmp[1], "\nUdp: 0 0 0 0 "));
	assert_string_not_equal(found.snmp[0], found.snmp[1]);
	found = captured(true);
	assert_true(found.others);
	assert_int_equal(found.named, 0);
}

#define test(name)	cmocka_unit_test_setup_teardown(name, start_child, clean)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(enters_and_leaves),
		test(passes_over_what_is_gone),
		test(passes_over_another_process),
		test(refuses),
		test(counters_of_both),
	};

	if (unshare(CLONE_NEWNET) && unshare(CLONE_NEWUSER | CLONE_NEWNET)) {
		puts("1..0 # SKIP network namespaces take root or a user namespace");
		return 0;
	}
	return cmocka_run_group_tests_name("netns", tests, NULL, NULL);
}
