// SPDX-License-Identifier: GPL-2.0-only
#include "../../../module/state/open_stall.c"
