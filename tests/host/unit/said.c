// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <sys/mman.h>
#include <unistd.h>

#include "said.h"

char said[16384];
static int heard, kept;

void said_begin(void)
{
	/* in memory: a test of captures does this thousands of times */
	heard = memfd_create("said", 0);
	kept = dup(STDERR_FILENO);
	fflush(stderr);
	assert_true(heard >= 0 && kept >= 0 && dup2(heard, STDERR_FILENO) >= 0);
}

void said_end(void)
{
	ssize_t len;

	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	len = pread(heard, said, sizeof(said) - 1, 0);
	close(heard);
	assert_true(len >= 0);
	said[len] = '\0';
}

void assert_said(const char *part)
{
	if (!strstr(said, part))
		fail_msg("%s", said);
}
