// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/new_file.h"
#include "base/say.h"

static int refuse(const char *path)
{
	return failed("%s exists; --force replaces it", path);
}

/* a rename would put a file in the place of a device */
static int check(const char *path, bool force)
{
	struct stat stat;

	if (lstat(path, &stat))
		return EXIT_DONE;
	if (!S_ISREG(stat.st_mode))
		return failed("%s is no regular file; '-' writes to standard output", path);
	return force ? EXIT_DONE : refuse(path);
}

/* does standard output, which "-" stands for, go to a terminal? */
bool new_file_is_terminal(const char *path)
{
	return !strcmp(path, "-") && isatty(STDOUT_FILENO);
}

/**
 * new_file_open() - begin a file
 * @file: the result; ends with new_file_close() where it could be begun
 * @path: its name; "-": standard output
 * @force: replace one that has it
 *
 * Return: an exit status.
 */
int new_file_open(struct new_file *file, const char *path, bool force)
{
	int ret, fd;

	*file = (struct new_file){ .force = force, .out = stdout };
	if (!strcmp(path, "-"))
		return EXIT_DONE;
	ret = check(path, force);
	if (ret)
		return ret;
	file->path = path;
	file->temporary = print_text("%s.XXXXXX", path);
	/* of mode 0600 */
	fd = mkostemp(file->temporary, O_CLOEXEC);
	if (fd < 0) {
		ret = failed("could not create %s: %s", path, strerror(errno));
		free(file->temporary);
		return ret;
	}
	file->out = or_exit(fdopen(fd, "w"));
	return EXIT_DONE;
}

/* some file systems cannot refuse to replace a file; then check() had to do */
static int name_it(const struct new_file *file)
{
	int ret = file->force ? -1 : renameat2(AT_FDCWD, file->temporary, AT_FDCWD, file->path,
					       RENAME_NOREPLACE);

	if (ret && (file->force || errno == EINVAL))
		ret = rename(file->temporary, file->path);
	return ret;
}

static int keep(const struct new_file *file)
{
	if (fdatasync(fileno(file->out)))
		return failed("could not write %s: %s", file->path, strerror(errno));
	if (!name_it(file))
		return EXIT_DONE;
	if (errno == EEXIST)
		return refuse(file->path);
	return failed("could not rename %s to %s: %s", file->temporary, file->path,
		      strerror(errno));
}

/**
 * new_file_close() - end a file
 * @file: from new_file_open()
 * @whole: all of it was written; else it is removed, and errno says why
 *
 * Return: an exit status.
 */
int new_file_close(struct new_file *file, bool whole)
{
	int ret;

	if (!whole)
		ret = failed("could not write %s: %s",
			     file->path ? file->path : "the output", strerror(errno));
	else
		ret = file->path ? keep(file) : EXIT_DONE;
	if (!file->path)
		return ret;
	fclose(file->out);
	if (ret)
		unlink(file->temporary);
	free(file->temporary);
	return ret;
}
