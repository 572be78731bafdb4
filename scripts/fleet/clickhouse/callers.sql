-- SPDX-License-Identifier: GPL-2.0-only
-- For which tasks and pods did the kernel hold interrupts or softirqs off longest, and where, since {since}? Only classes in which the task's
-- own system call or fault did it count: in the others the interrupted task is a bystander.
SELECT
    comm,
    pod,
    culprit,
    uniqExact(host) AS hosts,
    count() AS stalls,
    round(sum(min_ns - nested_ns) / 1e9, 3) AS seconds
FROM irqoff_stalls FINAL
WHERE time >= {since:DateTime64(6, 'UTC')} AND class IN ('hardirq-off', 'softirq-off')
GROUP BY comm, pod, culprit
ORDER BY seconds DESC, comm, pod, culprit
LIMIT 100
