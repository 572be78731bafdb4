/* SPDX-License-Identifier: GPL-2.0-only */
/* One request to the module and its answer, for the files that make requests. */
#ifndef _IRQOFF_EXCHANGE_H
#define _IRQOFF_EXCHANGE_H

#include <stdbool.h>

#include "source/source.h"

struct messages;
struct nl_msg;
struct nlmsghdr;

struct source {
	struct nl_sock *socket;
	int family;
	struct messages *messages;	/* gets what was received; NULL: nobody wants it */
};

/* one request and what became of it */
struct exchange {
	bool (*decode)(struct nlmsghdr *message, struct model *model);
	struct model *model;
	struct messages *messages;
	int error;		/* errno's number, 0: none */
	char reason[256];	/* the kernel's own sentence */
	bool done;
	bool garbled;
	bool interrupted;
};

struct nl_msg *exchange_request(struct source *source, int command, int flags);
int exchange_have(struct source *source, struct nl_msg *msg, struct exchange *exchange);
int exchange_conclude(const struct exchange *exchange);
void exchange_tell_skew(const struct config *config);

#endif /* _IRQOFF_EXCHANGE_H */
