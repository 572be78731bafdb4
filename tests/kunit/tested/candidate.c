// SPDX-License-Identifier: GPL-2.0-only
/* all of it is in candidate.h */
#include "../../../module/core/candidate.h"
