// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whoever prints has more to do. So a batch of lines waits for its reader for a second at most,
 * and one after a batch that failed does not wait.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/line_output.h"
#include "base/clocks.h"
#include "base/say.h"
#include "base/units.h"

/**
 * line_output_open() - begin to print
 * @lines: the result; ends with line_output_close() whatever is returned
 *
 * Standard output may be shared with others, who want it to wait. So it is opened anew, but
 * for a socket, where each call says so, and a file, which never waits for a reader.
 *
 * Return: an exit status.
 */
int line_output_open(struct line_output *lines)
{
	struct stat stat;

	*lines = (struct line_output){ .fd = -1 };
	if (fstat(STDOUT_FILENO, &stat))
		return failed("lines are printed to standard output, which is closed");
	lines->socket = S_ISSOCK(stat.st_mode);
	if (S_ISFIFO(stat.st_mode) || S_ISCHR(stat.st_mode))
		lines->fd = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	else
		lines->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	if (lines->fd < 0)
		return failed("could not open standard output: %s", strerror(errno));
	return EXIT_DONE;
}

/* the lines from now on are a batch */
void line_output_begin(struct line_output *lines)
{
	__u64 now_ns = clock_monotonic_ns();

	lines->until_ns = lines->failed ? now_ns : now_ns + NSEC_PER_SEC;
}

static ssize_t put_some(const struct line_output *lines, const char *text, size_t len)
{
	return lines->socket ? send(lines->fd, text, len, MSG_DONTWAIT | MSG_NOSIGNAL) :
			       write(lines->fd, text, len);
}

/* false where there is no time left, and errno says so */
static bool wait_for_reader(const struct line_output *lines)
{
	struct pollfd fd = { .fd = lines->fd, .events = POLLOUT };
	__u64 now_ns = clock_monotonic_ns();

	if (now_ns < lines->until_ns &&
	    poll(&fd, 1, (lines->until_ns - now_ns) / NSEC_PER_MSEC + 1) == 1)
		return true;
	errno = ETIMEDOUT;
	return false;
}

static bool put_all(struct line_output *lines, const char *text)
{
	size_t len = strlen(text);

	while (len) {
		ssize_t put = put_some(lines, text, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0 && (errno != EAGAIN || !wait_for_reader(lines)))
			return false;
		if (put <= 0)
			continue;
		text += put;
		len -= put;
		lines->cut = len;
	}
	return true;
}

/**
 * line_output_put() - print a line
 * @lines: from line_output_open(), and line_output_begin()
 * @line: with its end
 *
 * Return: false where it was not printed whole, and errno says why.
 */
bool line_output_put(struct line_output *lines, const char *line)
{
	/* what is left of a line stands alone */
	return (!lines->cut || put_all(lines, "\n")) && put_all(lines, line);
}

void line_output_close(struct line_output *lines)
{
	if (lines->fd >= 0)
		close(lines->fd);
	lines->fd = -1;
}
