// SPDX-License-Identifier: GPL-2.0-only
/* what needs no CPU is in steal.h */
#include "../../../module/state/steal.h"
