// SPDX-License-Identifier: GPL-2.0-only
#include "../../../module/state/handlers.c"

#ifdef CONFIG_X86_64
/* a cycle is a nanosecond */
u32 tio_cycles_mult = 1 << 22;
#endif
