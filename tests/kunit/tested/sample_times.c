// SPDX-License-Identifier: GPL-2.0-only
#include "../../../module/core/sample_times.h"
