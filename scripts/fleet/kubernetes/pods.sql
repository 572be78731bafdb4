-- SPDX-License-Identifier: GPL-2.0-only
-- Names of pods beside the stalls of scripts/fleet/clickhouse/stalls.sql, whose lines have UIDs. Fill it each hour from
-- kube-state-metrics by way of Prometheus, so that it also has the names of pods that are gone:
--
--   curl -fsSG "$PROMETHEUS/api/v1/query" \
--       --data-urlencode 'query=max by (uid, namespace, pod) (last_over_time(kube_pod_info[2h]))' |
--       jq -c '.data.result[].metric' |
--       clickhouse-client --query 'INSERT INTO irqoff_pods FORMAT JSONEachRow'
CREATE TABLE IF NOT EXISTS irqoff_pods
(
    uid       String,
    namespace LowCardinality(String),
    pod       String
)
ENGINE = ReplacingMergeTree
ORDER BY uid;

-- Which pods' tasks were interrupted by the longest stalls of the last day? An interrupted task is often innocent.
SELECT
    coalesce(nullIf(names.namespace, ''), '?') AS namespace,
    coalesce(nullIf(names.pod, ''), stalls.pod) AS pod,
    stalls.culprit AS culprit,
    count() AS stalls,
    round(max(stalls.min_ns) / 1e6, 3) AS longest_ms
FROM (SELECT pod, culprit, min_ns FROM irqoff_stalls FINAL WHERE time >= now() - INTERVAL 1 DAY AND pod IS NOT NULL) AS stalls
LEFT JOIN (SELECT uid, namespace, pod FROM irqoff_pods FINAL) AS names ON names.uid = stalls.pod
GROUP BY namespace, pod, culprit
ORDER BY longest_ms DESC, namespace, pod, culprit
LIMIT 100;
