// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/capability.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/capability.h"
#include "base/say.h"
#include "source/decode.h"
#include "source/exchange.h"
#include "source/listen.h"

/* larger than any message of the two groups */
#define BYTES		65536

/* the number of none */
#define NO_FAMILY	(-1)

struct listener {
	struct nl_sock *socket;
	int family;		/* the module's number, once it is there */
	/* a datagram, and what was not looked at of it */
	char buf[BYTES] __attribute((aligned(8)));
	struct nlmsghdr *message;
	int left;
};

static int denied(void)
{
	return failed("following stalls takes CAP_SYS_ADMIN of the host itself; "
		      "run irqoff as root of the host");
}

/**
 * listen_right() - may this program hear a module that is yet to come?
 *
 * Return: an exit status.
 */
int listen_right(void)
{
	return capability_has(CAP_SYS_ADMIN) ? EXIT_DONE : denied();
}

/* FOLLOW_GONE: the kernel does not have the group any more */
static int enter(struct listener *listener, int group)
{
	/* libnl makes one error of all that the kernel does not permit */
	if (!setsockopt(nl_socket_get_fd(listener->socket), SOL_NETLINK, NETLINK_ADD_MEMBERSHIP,
			&group, sizeof(group)))
		return EXIT_DONE;
	if (errno == ENOENT || errno == EINVAL)
		return FOLLOW_GONE;
	if (errno == EPERM || errno == EACCES)
		return denied();
	return failed("could not join a netlink group: %s", strerror(errno));
}

/**
 * listen_join() - hear the module that is loaded now
 * @listener: from listen_open()
 * @source: the module
 *
 * Return: an exit status; or FOLLOW_GONE where the module went after it was found.
 */
int listen_join(struct listener *listener, struct source *source)
{
	int group, ret;

	listener->family = source->family;
	ret = source_group(source, &group);
	return ret ? ret : enter(listener, group);
}

/**
 * listen_open() - hear from now on whether the module comes and goes
 * @listener: the result
 *
 * Return: an exit status.
 */
int listen_open(struct listener **listener)
{
	struct listener *new = alloc(1, sizeof(*new));
	int ret, group;

	new->family = NO_FAMILY;
	new->socket = or_exit(nl_socket_alloc());
	ret = genl_connect(new->socket);
	group = ret ? ret : genl_ctrl_resolve_grp(new->socket, "nlctrl", "notify");
	if (group < 0)
		ret = failed("could not open a netlink socket: %s", nl_geterror(group));
	else
		ret = enter(new, group);
	if (ret)
		listen_close(new);
	else
		*listener = new;
	return ret;
}

int listen_fd(const struct listener *listener)
{
	return nl_socket_get_fd(listener->socket);
}

/* a family came or went: was it the module's? */
static enum heard hear_control(struct nlmsghdr *message)
{
	static struct nla_policy policy[CTRL_ATTR_MAX + 1] = {
		[CTRL_ATTR_FAMILY_NAME] = { .type = NLA_NUL_STRING },
	};
	struct nlattr *tb[CTRL_ATTR_MAX + 1];
	struct genlmsghdr *head = nlmsg_data(message);

	if (genlmsg_parse(message, 0, tb, CTRL_ATTR_MAX, policy) || !tb[CTRL_ATTR_FAMILY_NAME] ||
	    strcmp(nla_get_string(tb[CTRL_ATTR_FAMILY_NAME]), TRACE_IRQOFF_GENL_NAME))
		return HEARD_NOTHING;
	if (head->cmd == CTRL_CMD_NEWFAMILY)
		return HEARD_CAME;
	return head->cmd == CTRL_CMD_DELFAMILY ? HEARD_WENT : HEARD_NOTHING;
}

/**
 * listen_message() - what a message says
 * @message: the message, which is whole
 * @family: the module's number
 * @wake: gets a wake-up; its news are to be freed
 *
 * Return: HEARD_NOTHING where it is about something else.
 */
enum heard listen_message(struct nlmsghdr *message, int family, struct wake *wake)
{
	*wake = (struct wake){ 0 };
	if (!genlmsg_valid_hdr(message, 0))
		return HEARD_NOTHING;
	if (message->nlmsg_type == GENL_ID_CTRL)
		return hear_control(message);
	if (message->nlmsg_type != family)
		return HEARD_NOTHING;
	/* what cannot be read says that there is something all the same */
	return decode_wake(message, wake) ? HEARD_WAKE : HEARD_MISSED;
}

/* fills the buffer; false where there is nothing, or an error: *heard says which */
static bool receive(struct listener *listener, enum heard *heard)
{
	struct sockaddr_nl from = { 0 };
	socklen_t room = sizeof(from);
	ssize_t len;

	do {
		len = recvfrom(listen_fd(listener), listener->buf, sizeof(listener->buf),
			       MSG_DONTWAIT, (struct sockaddr *)&from, &room);
	} while (len < 0 && errno == EINTR);
	*heard = HEARD_NOTHING;
	if (len >= 0) {
		listener->message = (struct nlmsghdr *)listener->buf;
		/* nobody but the kernel is believed */
		listener->left = from.nl_pid ? 0 : len;
		return true;
	}
	if (errno == ENOBUFS) {
		*heard = HEARD_MISSED;
	} else if (errno != EAGAIN) {
		failed("talking to the kernel failed: %s", strerror(errno));
		*heard = HEARD_ERROR;
	}
	return false;
}

/**
 * listen_next() - take the next message, without waiting for one
 * @listener: from listen_open()
 * @wake: gets a wake-up; its news are to be freed
 *
 * Return: what was heard; HEARD_NOTHING: there is no more.
 */
enum heard listen_next(struct listener *listener, struct wake *wake)
{
	enum heard heard = HEARD_NOTHING;

	*wake = (struct wake){ 0 };
	while (!heard) {
		if (!nlmsg_ok(listener->message, listener->left)) {
			if (!receive(listener, &heard))
				return heard;
			continue;
		}
		heard = listen_message(listener->message, listener->family, wake);
		listener->message = nlmsg_next(listener->message, &listener->left);
	}
	return heard;
}

void listen_close(struct listener *listener)
{
	if (!listener)
		return;
	nl_socket_free(listener->socket);
	free(listener);
}
