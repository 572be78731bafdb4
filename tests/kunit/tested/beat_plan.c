// SPDX-License-Identifier: GPL-2.0-only
#include "../../../module/core/beat_plan.c"
#include "../../../module/core/stall.c"
