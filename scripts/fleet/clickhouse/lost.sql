-- SPDX-License-Identifier: GPL-2.0-only
-- Which records are missing, by node and boot? Records of a CPU are numbered from 0 without gaps, so a gap is what was lost: by the
-- module, the agent or the way here. missing_at_start are those before the oldest line of a CPU. They were lost too, or came
-- before lines were collected, or are older than the table keeps. What was lost last shows with the next record of that CPU.
SELECT
    host,
    boot_id,
    sumIf(gap, NOT first) AS missing,
    countIf(gap > 0 AND NOT first) AS gaps,
    sumIf(gap, first) AS missing_at_start,
    maxIf(time, gap > 0) AS last_seen_before
FROM
(
    SELECT
        host, boot_id, time,
        row_number() OVER cpu_records = 1 AS first,
        toInt64(seq) - lagInFrame(toInt64(seq), 1, -1) OVER cpu_records - 1 AS gap
    FROM irqoff_stalls FINAL
    WINDOW cpu_records AS (PARTITION BY boot_id, instance, cpu ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
GROUP BY host, boot_id
HAVING missing + missing_at_start > 0
ORDER BY missing DESC, host, boot_id
