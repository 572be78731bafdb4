// SPDX-License-Identifier: GPL-2.0-only
#include "../../../module/core/argument_register.c"
