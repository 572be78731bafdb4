// SPDX-License-Identifier: GPL-2.0-only
/* /proc/trace_irqoff: settings, losses, histograms and records, as text for people. */
#include <linux/kallsyms.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat/proc_ops.h"
#include "control/control.h"
#include "control/status.h"
#include "record/cursor.h"
#include "record/meanwhile.h"
#include "report/access.h"
#include "report/procfs.h"
#include "report/procfs_record.h"
#include "state/counters.h"
#include "version.h"

#define PROC_NAME	"trace_irqoff"

enum part { PART_HARD, PART_SOFT, PART_OPEN, PART_END };

/* one open file */
struct tio_report {
	struct tio_cursor *cursor;
	loff_t pos;		/* of the record in the cursor */
	enum part part;
	bool first_of_part;
	bool first_of_cpu;
	bool addresses;		/* whoever opened it may see addresses */
	u64 kept;
	struct tio_sample meanwhile;	/* of the record in the cursor */
	char symbol[KSYM_SYMBOL_LEN];
};

static void put_duration(struct seq_file *m, u64 ns)
{
	unsigned long s = div_u64(ns, NSEC_PER_SEC);

	if (s >= 3600)
		seq_printf(m, "%lu h %lu min", s / 3600, s / 60 % 60);
	else if (s >= 60)
		seq_printf(m, "%lu min %lu s", s / 60, s % 60);
	else
		seq_printf(m, "%lu s", s);
}

static int show_state(struct seq_file *m, struct tio_report *report,
		      const struct tio_status *status)
{
	char *buf = kmalloc(PAGE_SIZE, GFP_KERNEL);
	int len;

	if (!buf)
		return -ENOMEM;
	seq_printf(m, "trace_irqoff %s: %s", TRACE_IRQOFF_VERSION,
		   status->knobs[TIO_KNOB_ENABLE] ? "enabled " : "disabled");
	if (status->knobs[TIO_KNOB_ENABLE])
		put_duration(m, status->now_ns - status->enabled_ns);
	if (!report->kept) {
		seq_puts(m, ", no stall over ");
		tio_put_ms(m, status->knobs[TIO_KNOB_THRESHOLD_US] * (u64)NSEC_PER_USEC);
		seq_puts(m, " kept");
	}
	seq_printf(m, "\nthreshold_us: %u\nperiod_us: %u\nring_records: %u (%zu KiB a CPU)\n",
		   status->knobs[TIO_KNOB_THRESHOLD_US],
		   status->knobs[TIO_KNOB_PERIOD_US],
		   status->knobs[TIO_KNOB_RING_RECORDS],
		   status->ring_bytes / 1024);
	tio_status_cpus(buf, PAGE_SIZE);
	seq_printf(m, "cpus: %s", buf);
	len = tio_status_watched(buf, PAGE_SIZE);
	if (len >= 0)
		seq_printf(m, " (watched now: %s)\n", len ? buf : "none");
	kfree(buf);
	return len < 0 ? len : 0;
}

static void show_losses(struct seq_file *m)
{
	struct tio_ring_index index;
	unsigned int cpu;

	seq_puts(m, "\nrecords:   produced       kept       lost    cleared\n");
	for_each_possible_cpu(cpu) {
		if (!tio_status_ring(cpu, &index) || !index.produced)
			continue;
		seq_printf(m, " cpu %-4u %10llu %10llu %10llu %10llu\n", cpu,
			   index.produced, tio_ring_kept(&index),
			   tio_ring_lost(&index), index.cleared);
	}
}

static noinline_for_stack void merge_histograms(unsigned int cpu,
						struct tio_histogram *hard,
						struct tio_histogram *soft)
{
	struct tio_counters counters;

	tio_counters_read(cpu, &counters);
	tio_histogram_merge(hard, &counters.hard);
	tio_histogram_merge(soft, &counters.soft);
}

static void show_histogram(struct seq_file *m)
{
	struct tio_histogram hard = { }, soft = { };
	unsigned int cpu, i;

	for_each_possible_cpu(cpu)
		merge_histograms(cpu, &hard, &soft);
	seq_puts(m, "\nhistogram (us):               hard       soft\n");
	for (i = 0; i < TIO_BUCKETS; i++) {
		if (!hard.buckets[i] && !soft.buckets[i])
			continue;
		seq_printf(m, " %9u .. %9u %10llu %10llu\n",
			   i ? 1U << i : 0, (2U << i) - 1, hard.buckets[i],
			   soft.buckets[i]);
	}
	seq_printf(m, " %-22s %10llu %10llu\n", "sum (ms)",
		   div_u64(hard.sum_ns, NSEC_PER_MSEC),
		   div_u64(soft.sum_ns, NSEC_PER_MSEC));
	seq_printf(m, " %-22s %10lu %10lu\n", "longest (us)",
		   tio_us_of(hard.max_ns), tio_us_of(soft.max_ns));
}

static void count_kept(struct tio_report *report)
{
	struct tio_ring_index index;
	unsigned int cpu;

	report->kept = 0;
	for_each_possible_cpu(cpu)
		if (tio_status_ring(cpu, &index))
			report->kept += tio_ring_kept(&index);
}

static int show_head(struct seq_file *m, struct tio_report *report)
{
	struct tio_status status;
	int ret;

	tio_status(&status);
	count_kept(report);
	ret = show_state(m, report, &status);
	if (ret)
		return ret;
	show_losses(m);
	show_histogram(m);
	return 0;
}

static bool find_next(struct tio_report *report)
{
	struct tio_cursor *cursor = report->cursor;
	unsigned int last_cpu = nr_cpu_ids;

	if (!report->first_of_part)
		last_cpu = cursor->rec.cpu;
	while (report->part < PART_OPEN) {
		while (tio_cursor_next(cursor)) {
			cond_resched();
			if (cursor->rec.kind != (report->part == PART_HARD ?
						 TRACE_IRQOFF_KIND_HARD :
						 TRACE_IRQOFF_KIND_SOFT))
				continue;
			report->first_of_cpu = cursor->rec.cpu != last_cpu;
			return true;
		}
		tio_cursor_again(cursor);
		report->part++;
		report->first_of_part = true;
		last_cpu = nr_cpu_ids;
	}
	report->first_of_cpu = true;
	return tio_cursor_next_open(cursor);
}

static void *report_start(struct seq_file *m, loff_t *pos)
{
	struct tio_report *report = m->private;

	if (!*pos) {
		tio_cursor_rewind(report->cursor);
		report->part = PART_HARD;
		report->first_of_part = true;
		report->pos = 0;
		return SEQ_START_TOKEN;
	}
	/* seq_file resumes at the record it stopped at, or starts over at 0 */
	return *pos == report->pos ? report : NULL;
}

static void *report_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct tio_report *report = m->private;

	++*pos;
	if (v != SEQ_START_TOKEN)
		report->first_of_part = false;
	if (!find_next(report))
		return NULL;
	report->pos = *pos;
	return report;
}

static void report_stop(struct seq_file *m, void *v)
{
}

static int report_show(struct seq_file *m, void *v)
{
	static const char * const titles[PART_END] = {
		" hard:", " soft:", " open:",
	};
	struct tio_report *report = m->private;

	if (v == SEQ_START_TOKEN)
		return show_head(m, report);
	if (report->first_of_part)
		seq_printf(m, "\n%s\n", titles[report->part]);
	if (report->first_of_cpu)
		seq_printf(m, " cpu: %u\n", report->cursor->rec.cpu);
	tio_meanwhile_sample(&report->cursor->rec, &report->meanwhile);
	tio_show_record(m, &report->cursor->rec, &report->meanwhile, report->symbol,
			report->addresses);
	return 0;
}

static const struct seq_operations report_ops = {
	.start = report_start,
	.next = report_next,
	.stop = report_stop,
	.show = report_show,
};

static int report_open(struct inode *inode, struct file *file)
{
	struct tio_report *report;

	if (file->f_mode & FMODE_READ && !tio_may_read())
		return -EPERM;
	if (file->f_mode & FMODE_WRITE && !tio_may_change())
		return -EPERM;
	report = __seq_open_private(file, &report_ops, sizeof(*report));
	if (!report)
		return -ENOMEM;
	report->cursor = tio_cursor_create();
	if (!report->cursor) {
		seq_release_private(inode, file);
		return -ENOMEM;
	}
	report->addresses = tio_may_see_addresses();
	return 0;
}

static int report_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct tio_report *report = m->private;

	tio_cursor_destroy(report->cursor);
	return seq_release_private(inode, file);
}

static ssize_t report_write(struct file *file, const char __user *from,
			    size_t count, loff_t *pos)
{
	char word[sizeof("clear\n")] = { };
	int ret;

	if (count >= sizeof(word))
		return -EINVAL;
	if (copy_from_user(word, from, count))
		return -EFAULT;
	if (strcmp(strim(word), "clear"))
		return -EINVAL;
	ret = tio_control_clear();
	return ret ?: count;
}

static const struct proc_ops report_proc_ops = {
	.proc_open = report_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_write = report_write,
	.proc_release = report_release,
};

/**
 * tio_procfs_init() - make the file
 *
 * Its mode lets everybody ask; report_open() decides. Root opens it for writing all the
 * same (CAP_DAC_OVERRIDE).
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int tio_procfs_init(void)
{
	return proc_create(PROC_NAME, 0444, NULL, &report_proc_ops) ? 0 : -ENOMEM;
}

/**
 * tio_procfs_exit() - remove the file; no reader is left on return
 *
 * Context: task, may sleep.
 */
void tio_procfs_exit(void)
{
	remove_proc_entry(PROC_NAME, NULL);
}
