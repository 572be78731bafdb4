/* SPDX-License-Identifier: GPL-2.0-only */
/* The answers, by libmicrohttpd. */
#ifndef _IRQOFF_REPLY_H
#define _IRQOFF_REPLY_H

#include <stddef.h>
#include <sys/types.h>
#include <microhttpd.h>

#include "say.h"

/* RHEL 8 has 0.9.59, of before this type */
#if MHD_VERSION < 0x00097002
typedef int reply_result;
#else
typedef enum MHD_Result reply_result;
#endif

__printf(3, 4) reply_result reply_sentence(struct MHD_Connection *connection, unsigned int status,
					   const char *format, ...);
reply_result reply_text(struct MHD_Connection *connection, const char *type, char *text,
			size_t len);
reply_result reply_profile(struct MHD_Connection *connection, int fd);

#endif /* _IRQOFF_REPLY_H */
