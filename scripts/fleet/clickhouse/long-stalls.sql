-- SPDX-License-Identifier: GPL-2.0-only
-- How many stalls of 100 ms and more does each hour since {since} have, by class, on how many nodes?
SELECT
    toStartOfHour(time) AS hour,
    class,
    count() AS stalls,
    uniqExact(host) AS hosts,
    round(max(min_ns) / 1e6, 3) AS longest_ms
FROM irqoff_stalls FINAL
WHERE time >= {since:DateTime64(6, 'UTC')} AND min_ns >= 100000000
GROUP BY hour, class
ORDER BY hour, class
