// SPDX-License-Identifier: GPL-2.0-only
/* what the suite tests is in ring_memory.h */
#include <linux/types.h>
