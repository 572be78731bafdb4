// SPDX-License-Identifier: GPL-2.0-only
#include "../../../module/beat_plan.c"
#include "../../../module/stall.c"
