/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_STRING_H
#define _LINUX_KERNEL_STRING_H

#include <errno.h>
#include <string.h>
#include <sys/types.h>

#include <linux/types.h>

static inline bool strstarts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static inline ssize_t strscpy(char *to, const char *from, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		to[i] = from[i];
		if (!from[i])
			return i;
	}
	if (size)
		to[size - 1] = '\0';
	return -E2BIG;
}

static inline void *memset64(u64 *to, u64 value, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = value;
	return to;
}

#endif /* _LINUX_KERNEL_STRING_H */
