// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recorder that was killed leaves the beginning of a frame behind. A reader stops there,
 * so what is appended behind it would never be read.
 */
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/capture_append.h"

/* cuts the file off, and goes to its end */
static bool cut_off(FILE *file, __u64 len)
{
	return !fseeko(file, len, SEEK_SET) && !ftruncate(fileno(file), len);
}

/**
 * capture_cut_back() - cut a capture off behind its last whole frame
 * @file: opened for reading and writing; its place is the end then
 * @cut: set to how many bytes were cut off
 *
 * An empty file is a capture of no frame. A file that is something else, or of which nobody
 * can say so because its first frame has no message yet, is left alone.
 *
 * Return: CAPTURE_WHOLE where there was nothing to cut, CAPTURE_CUT or CAPTURE_DAMAGED where
 * something was, CAPTURE_FOREIGN where it is no capture, and CAPTURE_UNREADABLE, with errno
 * set, where it cannot be read or cut off.
 */
enum capture_state capture_cut_back(FILE *file, __u64 *cut)
{
	struct capture_reader *reader = capture_reader(file);
	enum capture_state state;
	struct stat stat;
	__u64 whole;
	bool any;

	*cut = 0;
	while (capture_next(reader))
		;
	state = capture_state(reader);
	whole = capture_whole(reader);
	any = capture_any(reader);
	capture_reader_close(reader);
	if (state == CAPTURE_FOREIGN || state == CAPTURE_UNREADABLE)
		return state;
	if (fstat(fileno(file), &stat))
		return CAPTURE_UNREADABLE;
	if (!any && stat.st_size)
		return CAPTURE_FOREIGN;
	*cut = stat.st_size - whole;
	if (!cut_off(file, whole))
		return CAPTURE_UNREADABLE;
	return *cut ? state : CAPTURE_WHOLE;
}
