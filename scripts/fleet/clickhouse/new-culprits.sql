-- SPDX-License-Identifier: GPL-2.0-only
-- Which culprits were seen since {since}, and never before on any node? An upgrade of the kernel or of a program may have brought
-- them. The names of the nodes are joined with an inventory to see which kernel they have.
SELECT
    culprit,
    class,
    min(time) AS first_seen,
    argMin(host, time) AS first_host,
    uniqExact(host) AS hosts,
    count() AS stalls
FROM irqoff_stalls FINAL
WHERE culprit IS NOT NULL
GROUP BY culprit, class
HAVING first_seen >= {since:DateTime64(6, 'UTC')}
ORDER BY hosts DESC, stalls DESC, culprit
