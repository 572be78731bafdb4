// SPDX-License-Identifier: GPL-2.0-only
#include "../../../module/core/classify.c"
#include "../../../module/core/retention_rank.c"
