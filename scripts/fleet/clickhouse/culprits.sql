-- SPDX-License-Identifier: GPL-2.0-only
-- Which culprits took most of the fleet's time since {since}? On how many nodes, and how long at once? A stall's time is a lower
-- bound, without the stalls nested in it. Classes stolen and unknown have no culprit.
SELECT
    culprit,
    class,
    any(cause) AS cause,
    uniqExact(host) AS hosts,
    count() AS stalls,
    round(sum(min_ns - nested_ns) / 1e9, 3) AS seconds,
    round(max(min_ns) / 1e6, 3) AS longest_ms
FROM irqoff_stalls FINAL
WHERE time >= {since:DateTime64(6, 'UTC')}
GROUP BY culprit, class
ORDER BY seconds DESC, culprit, class
