// SPDX-License-Identifier: GPL-2.0-only
#include "../../../module/request.c"
#include "../../../module/settings.c"
#include "../../../module/knobs.c"
#include "../../../module/measure.c"
