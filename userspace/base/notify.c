// SPDX-License-Identifier: GPL-2.0-only
/* The protocol of sd_notify(3) is one datagram. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/notify.h"

/**
 * notify() - tell the service manager, if there is one
 * @format: assignments such as READY=1, one a line
 *
 * Nothing depends on it, so nobody is told where it fails.
 */
void notify(const char *format, ...)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const char *path = getenv("NOTIFY_SOCKET");
	size_t len = path ? strlen(path) : 0;
	va_list args;
	char *text;
	int fd;

	if (!len || len >= sizeof(to.sun_path) || (*path != '/' && *path != '@'))
		return;
	memcpy(to.sun_path, path, len);
	/* an abstract name */
	if (*path == '@')
		*to.sun_path = '\0';
	va_start(args, format);
	text = vprint_text(format, args);
	va_end(args);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd >= 0) {
		sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&to,
		       offsetof(struct sockaddr_un, sun_path) + len);
		close(fd);
	}
	free(text);
}
