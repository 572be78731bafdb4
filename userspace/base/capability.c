// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/capability.h"

/**
 * capability_has() - is a capability in effect?
 * @cap: CAP_SYSLOG and so on
 *
 * Return: whether it is; true where the kernel does not tell.
 */
bool capability_has(int cap)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	return syscall(SYS_capget, &head, data) ||
	       data[CAP_TO_INDEX(cap)].effective & CAP_TO_MASK(cap);
}
