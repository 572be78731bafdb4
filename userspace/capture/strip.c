// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/capability.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/say.h"
#include "capture/strip.h"

#define KERNEL_ADDRESS	0x8000000000000000ULL

/**
 * strip_right() - give up the right to see addresses
 *
 * Without CAP_SYSLOG the module itself sends opaque numbers and names for addresses, and
 * /proc/kallsyms has zeros.
 *
 * Return: an exit status.
 */
int strip_right(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (!syscall(SYS_capget, &head, data)) {
		data[CAP_TO_INDEX(CAP_SYSLOG)].effective &= ~CAP_TO_MASK(CAP_SYSLOG);
		if (!syscall(SYS_capset, &head, data))
			return EXIT_DONE;
	}
	return failed("nothing is written: --strip could not give up CAP_SYSLOG: %s",
		      strerror(errno));
}

/* of a per-CPU variable it may be an offset, which says nothing of where the kernel lies */
static bool bare(const struct tio_sample *sample)
{
	if (sample->lock & KERNEL_ADDRESS)
		return false;
	for (unsigned int i = 0; i < sample->nframes; i++)
		if ((sample->frames[i] | (sample->calls ? sample->calls[i] : 0)) & KERNEL_ADDRESS)
			return false;
	return true;
}

static bool all_bare(const struct model *model)
{
	for (size_t i = 0; i < model->nentries; i++) {
		const struct tio_record *rec = &model->entries[i]->rec;

		if (!bare(&rec->end) || rec->nmi_handler & KERNEL_ADDRESS ||
		    (rec->meanwhile.sample && !bare(rec->meanwhile.sample)))
			return false;
		for (unsigned int k = 0; k < rec->nsamples; k++)
			if (!bare(&rec->samples[k]))
				return false;
	}
	return true;
}

/**
 * strip_check() - are the records free of addresses?
 * @model: records that were read after strip_right()
 *
 * Return: an exit status; EXIT_FAILED of a module that shows them to everybody who may read.
 */
int strip_check(const struct model *model)
{
	if (all_bare(model))
		return EXIT_DONE;
	return failed("nothing is written: the loaded trace_irqoff cannot hide addresses; "
		      "load the module that was built with this irqoff");
}

static char *put(char *to, const struct nlattr *attr)
{
	memcpy(to, attr, attr->nla_len);
	memset(to + attr->nla_len, 0, NLA_ALIGN(attr->nla_len) - attr->nla_len);
	return to + NLA_ALIGN(attr->nla_len);
}

static char *put_comm(char *to)
{
	struct nlattr *attr = (void *)to;

	attr->nla_type = TRACE_IRQOFF_A_COMM;
	attr->nla_len = NLA_HDRLEN + sizeof(STRIPPED_COMM);
	memset(to + NLA_HDRLEN, 0, NLA_ALIGN(sizeof(STRIPPED_COMM)));
	memcpy(to + NLA_HDRLEN, STRIPPED_COMM, sizeof(STRIPPED_COMM));
	return to + NLA_ALIGN(attr->nla_len);
}

static char *put_stack(char *to, struct nlattr *nest)
{
	struct nlattr *head = (void *)to, *attr;
	char *begin = to;
	int rest;

	to += NLA_HDRLEN;
	nla_for_each_nested(attr, nest, rest) {
		if (nla_type(attr) == TRACE_IRQOFF_A_COMM)
			to = put_comm(to);
		else if (nla_type(attr) != TRACE_IRQOFF_A_CGROUP_ID &&
			 nla_type(attr) != TRACE_IRQOFF_A_PARENT_COMM)
			to = put(to, attr);
	}
	head->nla_type = nest->nla_type;
	head->nla_len = to - begin;
	return to;
}

/**
 * strip_put() - write a record without tasks' names and cgroups
 * @writer: the capture
 * @message: the module's message
 */
void strip_put(struct capture_writer *writer, const struct nlmsghdr *message)
{
	int rest, head_len = NLMSG_HDRLEN + GENL_HDRLEN, len = message->nlmsg_len;
	/* a name may become longer: an attribute of 4 bytes at least becomes one of 16 */
	struct nlmsghdr *stripped = alloc(4, NLMSG_ALIGN(len));
	char *begin = (char *)stripped, *to = begin + head_len;
	struct nlattr *attr, *first = (void *)((char *)message + head_len);

	memcpy(stripped, message, head_len);
	nla_for_each_attr(attr, first, len - head_len, rest) {
		int type = nla_type(attr);

		if (type == TRACE_IRQOFF_A_SAMPLE || type == TRACE_IRQOFF_A_END ||
		    type == TRACE_IRQOFF_A_MEANWHILE)
			to = put_stack(to, attr);
		else
			to = put(to, attr);
	}
	stripped->nlmsg_len = to - begin;
	capture_put(writer, stripped);
	free(stripped);
}
