// SPDX-License-Identifier: GPL-2.0-only
/* Stands for out_pprof.c and out_perfetto.c where protobuf-c or zlib is not installed. */
#include "output/export.h"

const struct exporter pprof_exporter = { .name = "pprof", .binary = true };
const struct exporter perfetto_exporter = { .name = "perfetto", .binary = true };
