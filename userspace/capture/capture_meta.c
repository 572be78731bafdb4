// SPDX-License-Identifier: GPL-2.0-only
#include <glob.h>
#include <limits.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>

#include "base/build_id.h"
#include "base/clocks.h"
#include "base/say.h"
#include "base/units.h"
#include "capture/capture.h"
#include "capture/capture_meta.h"
#include "version.h"

#define META_ROOM	(1024 * 1024)	/* thousands of CPUs and modules */

static void put_build_id(struct nl_msg *msg, const char *path)
{
	unsigned char id[BUILD_ID_MOST];
	size_t len = build_id_read(id, path);

	if (len)
		nla_put(msg, CAPTURE_A_BUILD_ID, len, id);
}

/* what has no room is left out, like what cannot be read */
static struct nlattr *begin_nest(struct nl_msg *msg, int type)
{
	return or_exit(nla_nest_start(msg, type));
}

static void put_modules(struct nl_msg *msg)
{
	FILE *file = fopen("/proc/modules", "re");
	char *line = NULL;
	size_t room = 0;

	while (file && getline(&line, &room, file) > 0) {
		struct nlattr *nest = begin_nest(msg, CAPTURE_A_MODULE);
		char path[PATH_MAX];

		line[strcspn(line, " ")] = '\0';
		snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", line);
		nla_put_string(msg, CAPTURE_A_SYMBOL, line);
		put_build_id(msg, path);
		nla_nest_end(msg, nest);
	}
	free(line);
	if (file)
		fclose(file);
}

/* the number in a file; -1 where there is none */
static long read_number(const char *format, const char *dir)
{
	char path[PATH_MAX];
	long number = -1;
	FILE *file;

	snprintf(path, sizeof(path), format, dir);
	file = fopen(path, "re");
	if (!file)
		return -1;
	if (fscanf(file, "%ld", &number) != 1)
		number = -1;
	fclose(file);
	return number;
}

/* "/sys/devices/system/cpu/cpu17": 17 */
static unsigned int number_of(const char *path)
{
	const char *name = strrchr(path, '/');

	return strtoul(name + strcspn(name, "0123456789"), NULL, 10);
}

static void put_topology(struct nl_msg *msg, const char *dir)
{
	struct nlattr *nest = begin_nest(msg, CAPTURE_A_TOPOLOGY);
	long package = read_number("%s/topology/physical_package_id", dir);
	long core = read_number("%s/topology/core_id", dir);

	nla_put_u32(msg, CAPTURE_A_NUMBER, number_of(dir));
	if (package >= 0)
		nla_put_u32(msg, CAPTURE_A_PACKAGE, package);
	if (core >= 0)
		nla_put_u32(msg, CAPTURE_A_CORE, core);
	nla_nest_end(msg, nest);
}

static void put_node(struct nl_msg *msg, const char *dir)
{
	struct nlattr *nest = begin_nest(msg, CAPTURE_A_NODE);
	char path[PATH_MAX], list[1024] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/cpulist", dir);
	file = fopen(path, "re");
	if (file && fgets(list, sizeof(list), file))
		list[strcspn(list, "\n")] = '\0';
	if (file)
		fclose(file);
	nla_put_u32(msg, CAPTURE_A_NUMBER, number_of(dir));
	nla_put_string(msg, CAPTURE_A_LIST, list);
	nla_nest_end(msg, nest);
}

static void put_each(struct nl_msg *msg, const char *pattern,
		     void (*put)(struct nl_msg *msg, const char *dir))
{
	glob_t found;

	if (!glob(pattern, 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			put(msg, found.gl_pathv[i]);
	globfree(&found);
}

static void put_cursors(struct nl_msg *msg, const struct resume *recording)
{
	for (size_t i = 0; i < recording->ncursors; i++) {
		struct nlattr *nest = begin_nest(msg, CAPTURE_A_CURSOR);

		nla_put_u32(msg, CAPTURE_A_NUMBER, recording->cursors[i].cpu);
		nla_put_u64(msg, CAPTURE_A_ID, recording->cursors[i].seq);
		nla_nest_end(msg, nest);
	}
}

/**
 * capture_put_meta() - the first message of a capture
 * @writer: the capture
 * @model: machine and settings
 * @strip: leave out the node's name
 * @recording: the numbers that its records begin with; NULL: it is no recording
 */
void capture_put_meta(struct capture_writer *writer, const struct model *model, bool strip,
		      const struct resume *recording)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_META, META_ROOM);
	const struct machine *machine = &model->machine;

	nla_put_u32(msg, CAPTURE_A_FORMAT, CAPTURE_FORMAT);
	nla_put_string(msg, CAPTURE_A_TOOL, TRACE_IRQOFF_VERSION);
	if (recording) {
		nla_put_flag(msg, CAPTURE_A_RECORDING);
		put_cursors(msg, recording);
	}
	if (strip)
		nla_put_flag(msg, CAPTURE_A_STRIPPED);
	else
		nla_put_string(msg, CAPTURE_A_HOST, machine->host);
	nla_put_string(msg, CAPTURE_A_BOOT_ID, machine->boot_id);
	if (model->config.instance_known)
		nla_put_u64(msg, CAPTURE_A_INSTANCE, model->config.instance);
	nla_put_string(msg, CAPTURE_A_RELEASE, machine->release);
	put_build_id(msg, "/sys/kernel/notes");
	nla_put_string(msg, CAPTURE_A_POSSIBLE, machine->cpus);
	if (model->config.online)
		nla_put_string(msg, CAPTURE_A_ONLINE, model->config.online);
	put_modules(msg);
	put_each(msg, "/sys/devices/system/cpu/cpu[0-9]*", put_topology);
	put_each(msg, "/sys/devices/system/node/node[0-9]*", put_node);
	capture_put_message(writer, msg);
}

/* how far the wall clock may be wrong; nothing where nobody keeps it right */
static void put_clock_error(struct nl_msg *msg)
{
	struct timex now = { 0 };
	int state = adjtimex(&now);

	if (state >= 0 && state != TIME_ERROR)
		nla_put_u64(msg, CAPTURE_A_CLOCK_ERROR_NS, now.maxerror * NSEC_PER_USEC);
}

/**
 * capture_put_clock() - tie the kernel's clock to the wall clock
 * @writer: the capture
 * @monotonic_ns: CLOCK_MONOTONIC
 * @realtime_ns: CLOCK_REALTIME at that moment
 */
void capture_put_clock(struct capture_writer *writer, __u64 monotonic_ns, __u64 realtime_ns)
{
	struct nl_msg *msg = capture_message(CAPTURE_CMD_CLOCK, 128);

	nla_put_u64(msg, CAPTURE_A_MONOTONIC_NS, monotonic_ns);
	nla_put_u64(msg, CAPTURE_A_REALTIME_NS, realtime_ns);
	put_clock_error(msg);
	capture_put_message(writer, msg);
}

/**
 * capture_put_end() - the last messages of a capture
 * @writer: the capture
 * @recording: the numbers that its records end before; NULL: it is no recording
 */
void capture_put_end(struct capture_writer *writer, const struct resume *recording)
{
	__u64 now_ns = clock_monotonic_ns();
	struct nl_msg *msg;

	capture_put_clock(writer, now_ns, clock_realtime_at(now_ns, now_ns));
	msg = capture_message(CAPTURE_CMD_END, META_ROOM);
	if (recording)
		put_cursors(msg, recording);
	capture_put_message(writer, msg);
}
