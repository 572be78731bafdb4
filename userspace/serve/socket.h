/* SPDX-License-Identifier: GPL-2.0-only */
/* The socket that is served: a new one, or a service manager's. */
#ifndef _IRQOFF_SOCKET_H
#define _IRQOFF_SOCKET_H

#include "cli/serve.h"

int socket_open(const struct serve *serve, int *fd);

#endif /* _IRQOFF_SOCKET_H */
