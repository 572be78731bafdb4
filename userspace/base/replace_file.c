// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replace_file.h"
#include "base/say.h"

static bool write_all(int fd, const char *text)
{
	size_t len = strlen(text);

	while (len) {
		ssize_t written = write(fd, text, len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		text += written;
		len -= written;
	}
	return true;
}

/* the directory may be somebody else's: nothing that is there is written to or followed */
static bool write_new(const char *name, const char *text)
{
	bool whole;
	int fd, error;

	if (unlink(name) && errno != ENOENT)
		return false;
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return false;
	/* whatever the umask is */
	whole = write_all(fd, text) && !fchmod(fd, 0644);
	error = errno;
	close(fd);
	errno = error;
	return whole;
}

/**
 * replace_file() - put a text in the place of a file's, at once
 * @path: the file, which everybody may read; PATH.new is written first, and renamed
 * @text: what is in it afterwards
 *
 * It does not wait for the disk. Only one process may do this at a time.
 *
 * Return: false where it could not be done, and errno says why; then the file is as it was.
 */
bool replace_file(const char *path, const char *text)
{
	char *name = print_text("%s.new", path);
	bool done = write_new(name, text) && !rename(name, path);
	int error = errno;

	if (!done)
		unlink(name);
	free(name);
	errno = error;
	return done;
}
