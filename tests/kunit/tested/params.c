// SPDX-License-Identifier: GPL-2.0-only
#include "../../../module/core/settings.c"
#include "../../../module/core/knobs.c"
#include "../../../module/core/measure.c"
