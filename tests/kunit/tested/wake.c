// SPDX-License-Identifier: GPL-2.0-only
/* wake.h is a header alone */
#include "record/wake.h"
