// SPDX-License-Identifier: GPL-2.0-only
#include "../../../module/histogram.c"
#include "../../../module/keep.c"
#include "../../../module/recent.c"
#include "../../../module/ring.c"
