// SPDX-License-Identifier: GPL-2.0-only
/* all of it is in nmi_budget.h */
#include "../../../module/core/nmi_budget.h"
