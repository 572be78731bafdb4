// SPDX-License-Identifier: GPL-2.0-only
/* The protocol of sd_listen_fds(3): descriptors from 3 on, as two variables say. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/say.h"
#include "base/units.h"
#include "serve/socket.h"

#define FIRST	3	/* SD_LISTEN_FDS_START */
#define BACKLOG	64

static __u64 number_of(const char *variable)
{
	const char *text = getenv(variable);
	__u64 number;

	return text && parse_number(text, ~0ULL, &number) ? number : 0;
}

/* how many sockets were handed over to this process */
static __u64 handed_over(void)
{
	__u64 count = number_of("LISTEN_PID") == (__u64)getpid() ? number_of("LISTEN_FDS") : 0;

	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	return count;
}

static int option_of(int fd, int option)
{
	int value = -1;
	socklen_t size = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, option, &value, &size) ? -1 : value;
}

/* not even the reader of captures gets it, and accept() never waits */
static bool prepare(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && !fcntl(fd, F_SETFL, flags | O_NONBLOCK) &&
	       !fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static int take(const struct serve *serve, __u64 count, int *fd)
{
	int domain = option_of(FIRST, SO_DOMAIN);

	if (serve->typed)
		return failed("the service manager hands over a socket; leave out --listen");
	if (count != 1)
		return failed("the service manager hands over %llu sockets, and one is served; "
			      "[::]:PORT is one for IPv4 and IPv6", count);
	if ((domain != AF_INET && domain != AF_INET6) || option_of(FIRST, SO_ACCEPTCONN) != 1 ||
	    !prepare(FIRST))
		return failed("the service manager hands over what is no TCP socket that listens");
	*fd = FIRST;
	return EXIT_DONE;
}

static int make(const struct address *address, int *fd)
{
	char text[ADDRESS_LEN];
	int on = 1;

	address_print(text, address);
	*fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*fd < 0)
		return failed("could not listen on %s: %s", text, strerror(errno));
	setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(*fd, &address->any, address_size(address)) && !listen(*fd, BACKLOG))
		return EXIT_DONE;
	failed("could not listen on %s: %s", text, strerror(errno));
	close(*fd);
	return EXIT_FAILED;
}

static void tell(int fd)
{
	char text[ADDRESS_LEN];
	struct address address;
	socklen_t size = sizeof(address);

	if (getsockname(fd, &address.any, &size))
		return;
	address_print(text, &address);
	if (address_is_loopback(&address))
		note("serving http://%s/", text);
	else
		note("serving http://%s/ to whoever reaches it", text);
}

/**
 * socket_open() - the socket to serve
 * @serve: what is asked for
 * @fd: the result, which listens
 *
 * Return: an exit status.
 */
int socket_open(const struct serve *serve, int *fd)
{
	__u64 count = handed_over();
	int ret = count ? take(serve, count, fd) : make(&serve->address, fd);

	if (!ret)
		tell(*fd);
	return ret;
}
