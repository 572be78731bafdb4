// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/recording_file.h"
#include "base/say.h"
#include "capture/resume.h"
#include "capture/rotation.h"

/* a frame is written at once, so that a recorder that is killed seldom leaves half a frame */
#define BUFFER_BYTES	(1024 * 1024)

/* another recorder keeps the lock for longer than a second */
#define LOCK_TRIES	20
#define LOCK_US		50000

static int wrong(const char *what, const char *name)
{
	return failed("could not %s %s: %s", what, name, strerror(errno));
}

/* closes the file; its name stays */
static void close_file(struct recording_file *file)
{
	if (file->out && file->out != stdout)
		fclose(file->out);
	free(file->buffer);
	file->buffer = NULL;
	file->out = NULL;
}

/* who reads the file has the lock for a moment, to see whether it is still written */
static int lock(FILE *out, const char *name)
{
	for (unsigned int i = 0; i < LOCK_TRIES; i++) {
		if (!flock(fileno(out), LOCK_EX | LOCK_NB))
			return EXIT_DONE;
		if (errno != EWOULDBLOCK)
			break;
		usleep(LOCK_US);
	}
	if (errno == EWOULDBLOCK)
		return failed("another irqoff records to %s; end it, or name another file", name);
	return wrong("lock", name);
}

/* cuts off what was not written whole, of a recording of this load */
static int go_on_with(struct recording_file *file, __u64 instance, struct resume *resume)
{
	enum capture_state state;
	bool stripped, any;
	__u64 cut;

	any = capture_tail_read(file->out, resume, &stripped);
	file->other = any && resume->instance != instance;
	file->mixed = any && !file->other && stripped != file->strip;
	if (file->other || file->mixed)
		return EXIT_FAILED;
	rewind(file->out);
	state = capture_cut_back(file->out, &cut);
	file->foreign = state == CAPTURE_FOREIGN;
	if (file->foreign)
		return EXIT_FAILED;
	if (state == CAPTURE_UNREADABLE)
		return wrong("go on with", file->name);
	if (cut)
		note("%llu bytes at the end of %s are damaged or not whole, and were cut off", cut,
		     file->name);
	/* without the records that were cut off */
	resume_free(resume);
	capture_tail_read(file->out, resume, &stripped);
	return EXIT_DONE;
}

/* without asking for it there is no way to know; nobody else makes files meanwhile */
static mode_t own_umask(void)
{
	mode_t mask = umask(077);

	umask(mask);
	return mask;
}

/*
 * Addresses in a capture are its owner's. An agent's may be read by a group as well, where
 * whoever made the directory says so: the group may look into it, and others may not.
 */
static mode_t mode_of(const struct recording_file *file, const struct stat *made)
{
	const char *slash = strrchr(file->name, '/');
	char *dir_name = slash ? print_text("%.*s", (int)(slash + 1 - file->name), file->name) :
				 copy_text(".");
	struct stat dir;
	bool shared = file->shared && !stat(dir_name, &dir) &&
		      dir.st_uid == made->st_uid && dir.st_gid == made->st_gid &&
		      (dir.st_mode & 0777) == 0750;

	free(dir_name);
	return shared ? 0640 & ~own_umask() : 0600;
}

/* opens the file with this name, which is there or not; @name is taken over */
static int open_one(struct recording_file *file, char *name, int flags, __u64 instance,
		    struct resume *resume)
{
	struct stat stat;
	int fd, ret;

	free(file->name);
	file->name = name;
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | flags, 0600);
	if (fd < 0)
		return wrong("open", name);
	if (fstat(fd, &stat) || !S_ISREG(stat.st_mode)) {
		close(fd);
		return failed("%s is no regular file; '-' writes to standard output", name);
	}
	/* who else owns or names it may have made it readable */
	if (stat.st_uid != geteuid() || stat.st_nlink > 1 ||
	    (!stat.st_size && fchmod(fd, mode_of(file, &stat)))) {
		close(fd);
		return failed("%s belongs to another user, or has a second name (hard link); "
			      "it is left alone; name another file", name);
	}
	file->out = or_exit(fdopen(fd, "r+"));
	file->buffer = alloc(1, BUFFER_BYTES);
	setvbuf(file->out, file->buffer, _IOFBF, BUFFER_BYTES);
	file->disk = true;
	file->appended = stat.st_size;
	ret = lock(file->out, name);
	if (!ret && file->appended)
		ret = go_on_with(file, instance, resume);
	if (ret)
		close_file(file);
	return ret;
}

/*
 * The name is that of the second in which it begins. Where the row goes on later than that,
 * because the clock was set back or another one began in this second, it is the next one: the
 * order of the names is that of the files.
 */
static int open_new(struct recording_file *file)
{
	time_t at = time(NULL);
	struct rotation row;
	int ret = rotation_read(file->path, &row);

	if (!ret && row.count && rotation_time(row.names[row.count - 1]) >= at)
		at = rotation_time(row.names[row.count - 1]) + 1;
	rotation_free(&row);
	return ret ? ret : open_one(file, rotation_name(file->path, at), O_EXCL, 0, NULL);
}

/* the oldest ones go, so that with the one that is written there are not too many */
static int drop_oldest(const struct recording_file *file)
{
	struct rotation row;
	int ret;

	/* the files of later loads of the module are no row */
	if (!file->rotate_bytes)
		return EXIT_DONE;
	ret = rotation_read(file->path, &row);
	for (size_t i = 0; !ret && i + file->rotate_count < row.count; i++)
		if (strcmp(row.names[i], file->name) && unlink(row.names[i]) && errno != ENOENT)
			note("could not remove %s: %s", row.names[i], strerror(errno));
	rotation_free(&row);
	return ret;
}

/* the file of the path, new or gone on with */
static int open_named(struct recording_file *file, __u64 instance, struct resume *resume)
{
	int ret = open_one(file, copy_text(file->path), 0, instance, resume);

	if (file->foreign)
		failed("%s is there and is no capture of irqoff; it is left alone", file->name);
	if (file->other)
		failed("%s is of another boot, or another load of the module; "
		       "name another file, or use --rotate", file->name);
	if (file->mixed)
		failed("%s was recorded %s --strip; name another file, or use --rotate", file->name,
		       file->strip ? "without" : "with");
	return ret;
}

/* where the newest file ended that says so; the last recorder was killed as it began another */
static void find_end(const struct rotation *row, __u64 instance, struct resume *resume)
{
	bool found = false;

	for (size_t i = row->count; i-- && !found;) {
		FILE *in = fopen(row->names[i], "re");
		bool stripped;

		resume_free(resume);
		found = in && capture_tail_read(in, resume, &stripped);
		if (in)
			fclose(in);
	}
	if (resume->instance != instance)
		resume_free(resume);
}

/* the newest file of a row is gone on with, if it is a recording of this load */
static int open_newest(struct recording_file *file, __u64 instance, struct resume *resume)
{
	struct rotation row;
	int ret = rotation_read(file->path, &row);

	if (!ret && row.count)
		ret = open_one(file, copy_text(row.names[row.count - 1]), 0, instance, resume);
	if (file->foreign)
		note("%s is no capture that can be gone on with, so another one is begun",
		     file->name);
	if (file->mixed)
		note("%s was recorded %s --strip and stays as it is; another one is begun",
		     file->name, file->strip ? "without" : "with");
	if (file->foreign || file->other || file->mixed || (!ret && !row.count))
		ret = open_new(file);
	if (!ret && resume->instance != instance)
		find_end(&row, instance, resume);
	rotation_free(&row);
	return ret ? ret : drop_oldest(file);
}

/**
 * recording_file_open() - open the first file
 * @file: what is wanted is set
 * @instance: the load of the module whose records come
 * @resume: gets where the file ended, if it was there
 *
 * Return: an exit status.
 */
int recording_file_open(struct recording_file *file, __u64 instance, struct resume *resume)
{
	if (strcmp(file->path, "-"))
		return file->rotate_bytes ?
		       open_newest(file, instance, resume) :
		       open_named(file, instance, resume);
	if (isatty(STDOUT_FILENO))
		return failed("a capture is not for a terminal; name a file, or use a pipe");
	file->out = stdout;
	file->name = copy_text("standard output");
	return EXIT_DONE;
}

/* is it time for another file? */
bool recording_file_full(const struct recording_file *file)
{
	return file->rotate_bytes && (__u64)ftello(file->out) >= file->rotate_bytes;
}

/**
 * recording_file_next() - go on in another file
 * @file: full
 *
 * Return: an exit status.
 */
int recording_file_next(struct recording_file *file)
{
	int ret;

	close_file(file);
	ret = open_new(file);
	return ret ? ret : drop_oldest(file);
}

/* was it removed, so that nobody will find what is written? */
bool recording_file_removed(const struct recording_file *file)
{
	struct stat stat;

	return file->disk && !fstat(fileno(file->out), &stat) && !stat.st_nlink;
}

/**
 * recording_file_sync() - wait until what was flushed is on the disk
 * @file: the file
 *
 * Return: false where it could not be; errno says why.
 */
bool recording_file_sync(struct recording_file *file)
{
	return !file->disk || !fdatasync(fileno(file->out));
}

void recording_file_free(struct recording_file *file)
{
	close_file(file);
	free(file->name);
	file->name = NULL;
}
