// SPDX-License-Identifier: GPL-2.0-only
/* what needs no CPU is in nmi_time.h */
#include "../../../module/state/nmi_time.h"
