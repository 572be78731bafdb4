/* SPDX-License-Identifier: GPL-2.0-only */
/* Student's t distribution. */
#ifndef _IRQOFF_STUDENT_H
#define _IRQOFF_STUDENT_H

double student_p(double t, double freedom);

#endif /* _IRQOFF_STUDENT_H */
