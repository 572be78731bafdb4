/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a capture consists of, for the files that write and read one. irqoff-capture(5)
 * describes it.
 *
 * A capture is a row of zstd frames, each of whole netlink messages. Those of the module
 * are as it sent them. The others have the type below, and are made like the module's:
 * a struct genlmsghdr with one of the commands, then attributes. The format only grows. No
 * number is ever given to something else, and readers ignore what they do not know.
 */
#ifndef _IRQOFF_CAPTURE_H
#define _IRQOFF_CAPTURE_H

#define CAPTURE_FORMAT		1
#define CAPTURE_TYPE		0x400	/* GENL_MAX_ID + 1, so that no family has it */
#define CAPTURE_WINDOW_LOG	17	/* a reader of a frame needs so little memory */
#define CAPTURE_FRAME_MOST	(4 << 20)	/* bytes of a frame, unpacked */

/**
 * enum capture_cmd - messages that are not the module's
 * @CAPTURE_CMD_META: the first message: FORMAT, TOOL, BOOT_ID, INSTANCE, RELEASE,
 *	BUILD_ID, POSSIBLE, ONLINE, MODULE, TOPOLOGY, NODE; HOST unless STRIPPED is there;
 *	RECORDING and CURSOR where records are added as they come
 * @CAPTURE_CMD_CLOCK: MONOTONIC_NS and REALTIME_NS of one moment, and CLOCK_ERROR_NS
 * @CAPTURE_CMD_NAMES: EPOCH and FUNCTION: names for the records behind it. Those of
 *	another epoch replace all that came before
 * @CAPTURE_CMD_CGROUPS: CGROUP: cgroups of the records behind it
 * @CAPTURE_CMD_TEXT: PATH and DATA: a file of counters as it was; MONOTONIC_NS and TOOK_NS;
 *	NETNS_INODE and NETNS of another network namespace
 * @CAPTURE_CMD_END: the last message of a capture that was written to its end; CURSOR
 *	where it is a recording
 * @CAPTURE_CMD_DEVICES: DEVICE: which CPUs serve the network devices now
 */
enum capture_cmd {
	CAPTURE_CMD_UNSPEC,
	CAPTURE_CMD_META,
	CAPTURE_CMD_CLOCK,
	CAPTURE_CMD_NAMES,
	CAPTURE_CMD_CGROUPS,
	CAPTURE_CMD_TEXT,
	CAPTURE_CMD_END,
	CAPTURE_CMD_DEVICES,
};

/**
 * enum capture_attr - attributes, one space for all of these messages
 *
 * @CAPTURE_A_FORMAT: u32, CAPTURE_FORMAT of whoever wrote it
 * @CAPTURE_A_TOOL: string, version of the irqoff that wrote it
 * @CAPTURE_A_HOST: string, the node's name
 * @CAPTURE_A_BOOT_ID: string, /proc/sys/kernel/random/boot_id
 * @CAPTURE_A_INSTANCE: u64, TRACE_IRQOFF_A_INSTANCE; absent of an older module
 * @CAPTURE_A_RELEASE: string, uname -r
 * @CAPTURE_A_BUILD_ID: bytes, the GNU build id of the kernel or, in MODULE, of a module
 * @CAPTURE_A_POSSIBLE: string, list of the possible CPUs
 * @CAPTURE_A_ONLINE: string, list of the online CPUs
 * @CAPTURE_A_STRIPPED: flag; the capture was made with --strip
 * @CAPTURE_A_MODULE: nest of SYMBOL and BUILD_ID, once for each loaded module
 * @CAPTURE_A_TOPOLOGY: nest of NUMBER, PACKAGE and CORE, once for each CPU
 * @CAPTURE_A_NODE: nest of NUMBER and LIST, once for each NUMA node: its CPUs
 * @CAPTURE_A_NUMBER: u32
 * @CAPTURE_A_PACKAGE: u32
 * @CAPTURE_A_CORE: u32
 * @CAPTURE_A_LIST: string
 * @CAPTURE_A_MONOTONIC_NS: u64, CLOCK_MONOTONIC, as the module has it; of a file, before it
 *	was opened
 * @CAPTURE_A_REALTIME_NS: u64, CLOCK_REALTIME at that moment
 * @CAPTURE_A_EPOCH: u64, grows whenever a module was loaded or unloaded
 * @CAPTURE_A_FUNCTION: nest of FROM, TO, SIZED, SYMBOL and, where it is not the kernel's
 *	own, MODULE_NAME
 * @CAPTURE_A_FROM: u64, the address that it begins at
 * @CAPTURE_A_TO: u64, the address behind its end
 * @CAPTURE_A_SIZED: flag; without it the function's end is not known, and TO is as far as
 *	it surely goes
 * @CAPTURE_A_SYMBOL: string
 * @CAPTURE_A_MODULE_NAME: string, as in /proc/kallsyms; "bpf?" for BPF programs
 * @CAPTURE_A_CGROUP: nest of ID, V1, STATE and, where it was found, PATH
 * @CAPTURE_A_ID: u64, TRACE_IRQOFF_A_CGROUP_ID or, in CURSOR, TRACE_IRQOFF_A_SEQ
 * @CAPTURE_A_V1: flag; TRACE_IRQOFF_F_CGROUP_V1
 * @CAPTURE_A_STATE: u8, 0: not known, 1: found, 2: the cgroup is gone
 * @CAPTURE_A_PATH: string, of a cgroup below its mount, or of a file
 * @CAPTURE_A_DATA: bytes of the file; once more for each further piece of it
 * @CAPTURE_A_RECORDING: flag; the capture has records from the CURSOR of its META on, and
 *	before that of its END. What is missing between them was lost
 * @CAPTURE_A_CURSOR: nest of NUMBER, a CPU, and ID, the number of a record. A CPU without
 *	one is at number 0
 * @CAPTURE_A_CLOCK_ERROR_NS: u64, maxerror of adjtimex(2): how far REALTIME_NS may be
 *	wrong; absent where nobody keeps the clock right
 * @CAPTURE_A_NETNS: string, what --netns or /run/netns calls a network namespace
 * @CAPTURE_A_NETNS_INODE: u64, its inode in nsfs. Files without it are of the namespace of
 *	whoever wrote the capture
 * @CAPTURE_A_TOOK_NS: u64, how long reading a file took
 * @CAPTURE_A_DEVICE: nest of NAME, WHY and LIST or, where any CPU may serve it, LOWER
 * @CAPTURE_A_NAME: string, of a network device
 * @CAPTURE_A_WHY: u8, enum serving_why: what tells which CPUs serve it
 * @CAPTURE_A_LOWER: string, the device below it whose reason WHY is; absent where it is its
 *	own
 */
enum capture_attr {
	CAPTURE_A_UNSPEC,
	CAPTURE_A_PAD,
	CAPTURE_A_FORMAT,
	CAPTURE_A_TOOL,
	CAPTURE_A_HOST,
	CAPTURE_A_BOOT_ID,
	CAPTURE_A_INSTANCE,
	CAPTURE_A_RELEASE,
	CAPTURE_A_BUILD_ID,
	CAPTURE_A_POSSIBLE,
	CAPTURE_A_ONLINE,
	CAPTURE_A_STRIPPED,
	CAPTURE_A_MODULE,
	CAPTURE_A_TOPOLOGY,
	CAPTURE_A_NODE,
	CAPTURE_A_NUMBER,
	CAPTURE_A_PACKAGE,
	CAPTURE_A_CORE,
	CAPTURE_A_LIST,
	CAPTURE_A_MONOTONIC_NS,
	CAPTURE_A_REALTIME_NS,
	CAPTURE_A_EPOCH,
	CAPTURE_A_FUNCTION,
	CAPTURE_A_FROM,
	CAPTURE_A_TO,
	CAPTURE_A_SYMBOL,
	CAPTURE_A_MODULE_NAME,
	CAPTURE_A_CGROUP,
	CAPTURE_A_ID,
	CAPTURE_A_V1,
	CAPTURE_A_STATE,
	CAPTURE_A_PATH,
	CAPTURE_A_DATA,
	CAPTURE_A_SIZED,
	CAPTURE_A_RECORDING,
	CAPTURE_A_CURSOR,
	CAPTURE_A_CLOCK_ERROR_NS,
	CAPTURE_A_NETNS,
	CAPTURE_A_NETNS_INODE,
	CAPTURE_A_TOOK_NS,
	CAPTURE_A_DEVICE,
	CAPTURE_A_NAME,
	CAPTURE_A_WHY,
	CAPTURE_A_LOWER,
	__CAPTURE_A_MAX,
};

#define CAPTURE_A_MAX	(__CAPTURE_A_MAX - 1)

#endif /* _IRQOFF_CAPTURE_H */
