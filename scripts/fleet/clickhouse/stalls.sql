-- SPDX-License-Identifier: GPL-2.0-only
-- The table of the JSON lines of irqoff agent (lines=yes), of all nodes. A line may come twice, as after the agent was killed:
-- the key is the record's name on its boot, and questions read the table with FINAL, so it counts once. The time is not of the
-- key: the same record may come with another microsecond.
--
--   clickhouse-client --multiquery < stalls.sql
--   clickhouse-client --date_time_input_format best_effort --input_format_skip_unknown_fields 1 \
--       --query 'INSERT INTO irqoff_stalls FORMAT JSONEachRow' < lines
CREATE TABLE IF NOT EXISTS irqoff_stalls
(
    schema_version   UInt8,
    host             LowCardinality(Nullable(String)),
    boot_id          UUID,
    instance         LowCardinality(String),
    cpu              UInt32,
    seq              UInt64,
    record           String ALIAS concat(toString(cpu), ':', toString(seq)),
    time             DateTime64(6, 'UTC') CODEC(Delta, ZSTD),
    kind             LowCardinality(String),
    class            LowCardinality(String),
    culprit          LowCardinality(Nullable(String)),
    suspected_class  LowCardinality(Nullable(String)),
    suspect          LowCardinality(Nullable(String)),
    culprit_evidence LowCardinality(Nullable(String)),
    busy_in          LowCardinality(Nullable(String)),
    evidence         LowCardinality(Nullable(String)),
    min_ns           UInt64,
    max_ns           Nullable(UInt64),
    wide             Nullable(Bool),
    early            Nullable(Bool),
    nested_ns        UInt64,
    late_ns          Nullable(UInt64),
    end_ns           UInt64,
    end_realtime_ns  Nullable(UInt64),
    end_by           LowCardinality(Nullable(String)),
    threshold_ns     Nullable(UInt64),
    period_ns        Nullable(UInt64),
    handler_ns       Nullable(UInt64),
    handlers         Nullable(UInt64),
    untraced_irqs    Nullable(UInt64),
    steal_ns         Nullable(UInt64),
    smis             Nullable(UInt64),
    hypervisor       Nullable(Bool),
    comm             LowCardinality(Nullable(String)),
    pid              Nullable(Int32),
    tgid             Nullable(Int32),
    cgroup_id        Nullable(UInt64),
    cgroup           Nullable(String),
    cgroup_gone      Nullable(Bool),
    pod              Nullable(String),
    container        Nullable(String),
    waits_for_record Nullable(String),
    lock_wait        LowCardinality(Nullable(String)),
    lock_waiter      LowCardinality(Nullable(String)),
    kernel           LowCardinality(Nullable(String)),
    cause            LowCardinality(Nullable(String)),
    stack            Nullable(String),
    INDEX by_time time TYPE minmax
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (boot_id, instance, cpu, seq)
TTL toDateTime(time) + INTERVAL 90 DAY
