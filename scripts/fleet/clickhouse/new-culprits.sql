-- SPDX-License-Identifier: GPL-2.0-only
-- Which culprits were seen since {since}, and never before on any node, and on which kernels? kernels lacks those of lines
-- without a release. A culprit that only one kernel of several has probably came with it.
SELECT
    culprit,
    class,
    arraySort(groupUniqArray(kernel)) AS kernels,
    min(time) AS first_seen,
    argMin(host, time) AS first_host,
    uniqExact(host) AS hosts,
    count() AS stalls
FROM irqoff_stalls FINAL
WHERE culprit IS NOT NULL
GROUP BY culprit, class
HAVING first_seen >= {since:DateTime64(6, 'UTC')}
ORDER BY hosts DESC, stalls DESC, culprit, class
