/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel tells without being asked: there is news, the module came, it went. */
#ifndef _IRQOFF_LISTEN_H
#define _IRQOFF_LISTEN_H

#include "model/model.h"

struct listener;
struct nlmsghdr;
struct source;

enum heard {
	HEARD_NOTHING,		/* that was all for now */
	HEARD_WAKE,
	HEARD_CAME,		/* the module's family is there */
	HEARD_WENT,
	HEARD_MISSED,		/* something was lost, whatever it was */
	HEARD_ERROR,		/* a sentence was printed */
};

int listen_open(struct listener **listener);
int listen_right(void);
int listen_join(struct listener *listener, struct source *source);
int listen_fd(const struct listener *listener);
enum heard listen_next(struct listener *listener, struct wake *wake);
enum heard listen_message(struct nlmsghdr *message, int family, struct wake *wake);
void listen_close(struct listener *listener);

#endif /* _IRQOFF_LISTEN_H */
