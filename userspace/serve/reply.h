/* SPDX-License-Identifier: GPL-2.0-only */
/* The answers, by libmicrohttpd. */
#ifndef _IRQOFF_REPLY_H
#define _IRQOFF_REPLY_H

#include <stddef.h>
#include <sys/types.h>
#include <microhttpd.h>

#include "base/say.h"

/* what a handler returns; RHEL 8 has 0.9.59, of before the type */
#if MHD_VERSION < 0x00097002
#define MHD_RESULT	int
#else
#define MHD_RESULT	enum MHD_Result
#endif

__printf(3, 4) MHD_RESULT reply_sentence(struct MHD_Connection *connection, unsigned int status,
					 const char *format, ...);
MHD_RESULT reply_text(struct MHD_Connection *connection, const char *type, char *text,
		      size_t len);
MHD_RESULT reply_profile(struct MHD_Connection *connection, int fd, const char *lacks);

#endif /* _IRQOFF_REPLY_H */
