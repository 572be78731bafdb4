// SPDX-License-Identifier: GPL-2.0-only
#include "../../../module/core/histogram.c"
#include "../../../module/core/retention.c"
#include "../../../module/state/recent.c"
#include "../../../module/state/ring.c"
