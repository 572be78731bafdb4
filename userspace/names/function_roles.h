/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a function of the kernel image does for others, by its name. A module's function
 * is its own, whatever it is called.
 */
#ifndef _IRQOFF_FUNCTION_ROLES_H
#define _IRQOFF_FUNCTION_ROLES_H

#include <stdbool.h>

#include "model/model.h"

bool role_is_spinning(const char *function);
bool role_is_helper(const char *function);
bool role_is_inline(const char *function);
bool role_is_unlock(const char *function);
bool role_is_plumbing(const char *function);
bool role_is_softirq_loop(const char *function);
bool role_is_irq_entry(const char *function);
bool role_is_dispatcher(const char *function);
bool role_calls_in_section(const char *function);
enum wait role_wait(const char *function);
enum trace_irqoff_lock role_rwlock(const char *function);
bool role_is_everybodys(const char *function);
bool role_calls_handler(const char *function);

#endif /* _IRQOFF_FUNCTION_ROLES_H */
