/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a file in /proc can do: 'proc: decouple proc from VFS with "struct proc_ops"'
 * (v5.6). A struct file_operations said it before.
 */
#ifndef _TIO_COMPAT_PROC_OPS_H
#define _TIO_COMPAT_PROC_OPS_H

#include <linux/proc_fs.h>

#ifndef HAVE_PROC_OPS
#include <linux/fs.h>

#define proc_ops	file_operations
#define proc_open	open
#define proc_read	read
#define proc_write	write
#define proc_lseek	llseek
#define proc_release	release
#endif

#endif /* _TIO_COMPAT_PROC_OPS_H */
