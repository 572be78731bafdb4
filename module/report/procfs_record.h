/* SPDX-License-Identifier: GPL-2.0-only */
/* A record as /proc/trace_irqoff prints it. */
#ifndef _TIO_PROCFS_RECORD_H
#define _TIO_PROCFS_RECORD_H

#include <linux/math64.h>
#include <linux/time64.h>

struct seq_file;
struct tio_record;
struct tio_sample;

static inline unsigned long tio_us_of(u64 ns)
{
	return div_u64(ns, NSEC_PER_USEC);
}

void tio_put_ms(struct seq_file *m, u64 ns);
void tio_show_record(struct seq_file *m, const struct tio_record *rec,
		     const struct tio_sample *meanwhile, char *symbol, bool addresses);

#endif /* _TIO_PROCFS_RECORD_H */
