import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { inMs } from "#ledger/store/tables.ts";
import { type LaneSample, TRAFFIC_COUNTERS } from "#operations/traffic-counters.ts";

/** Identity of a process, as it reports itself. */
export interface Process {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** The build: version and commit. */
  readonly version: string;
  readonly startedAt: Date;
  /** Maximum number of concurrent requests. */
  readonly slots: number;
}

/** Status that a process reports every few seconds. */
export interface HeartbeatReport {
  /** False: it serves HTTP only. */
  readonly works: boolean;
  readonly inFlight: number;
  readonly sweptAgoMs: number | null;
  readonly gatewayOffsetMs: number | null;
  readonly samples: readonly LaneSample[];
  readonly jobs: readonly QueueSample[];
}

/** The jobs of one queue that ended. */
export interface QueueSample {
  readonly queue: string;
  readonly finished: number;
  readonly failed: number;
}

/** Interval covered by one row of counts, in seconds, beginning at its time. */
const BUCKET_SECONDS = 10;

const added = (column: "counts" | "latency") => sql`(
  select array_agg(coalesce(a, 0) + coalesce(b, 0) order by place)
  from unnest(${sql.ref(`throughput_samples.${column}`)}, ${sql.ref(`excluded.${column}`)}) with ordinality t(a, b, place))`;

/**
 * Updates the row of the process, adds its counts to the current ten seconds, and deletes old rows,
 * in one statement.
 */
export async function recordHeartbeat(
  database: Database,
  process: Process,
  now: HeartbeatReport,
): Promise<void> {
  const { id, host, pid, version, startedAt, slots } = process;
  const { works, inFlight, sweptAgoMs, gatewayOffsetMs } = now;
  const samples = now.samples.filter(({ counts, latency }) =>
    [...counts, ...latency].some((count) => count > 0),
  );
  await sql`
    with
    reported_workers as (
      insert into workers (id, host, pid, version, works, started_at, slots, in_flight, swept_at, gateway_offset_ms)
      values (${id}, ${host}, ${pid}, ${version}, ${works}, ${startedAt}, ${slots}, ${inFlight},
        now() - ${inMs(sweptAgoMs)}, ${gatewayOffsetMs})
      on conflict (id) do update
      set
        seen_at = now(),
        in_flight = excluded.in_flight,
        swept_at = excluded.swept_at,
        gateway_offset_ms = excluded.gateway_offset_ms
    ),
    -- The counts are added to those of the other processes.
    added_samples as (
      insert into throughput_samples (at, lane, counts, latency)
      select
        to_timestamp(floor(extract(epoch from now()) / ${BUCKET_SECONDS}) * ${BUCKET_SECONDS}),
        lane,
        counts,
        latency
      from json_to_recordset(${JSON.stringify(samples)}::json) as sample (lane text, counts bigint[], latency bigint[])
      -- Two processes lock the rows in the same order.
      order by lane
      on conflict (at, lane) do update
      set counts = ${added("counts")}, latency = ${added("latency")}
    ),
    added_jobs as (
      insert into queue_samples as q (at, queue, finished, failed)
      select date_trunc('minute', now()), queue, finished, failed
      from json_to_recordset(${JSON.stringify(now.jobs)}::json) as sample (queue text, finished bigint, failed bigint)
      order by queue
      on conflict (at, queue) do update
      set finished = q.finished + excluded.finished, failed = q.failed + excluded.failed
    ),
    deleted_jobs as (
      delete from queue_samples
      where at < now() - interval '7 days'
    ),
    deleted_samples as (
      delete from throughput_samples
      where at < now() - interval '7 days'
    )
    delete from workers
    where seen_at < now() - interval '1 day'
      and id <> ${id}`.execute(database);
}

/** Deletes the row of a process that exits normally, so that it is not reported as missing. */
export async function removeProcess(database: Database, { id }: Process): Promise<void> {
  await sql`delete from workers where id = ${id}`.execute(database);
}

export interface WorkerProcess extends Process {
  readonly works: boolean;
  readonly seenAgoMs: number;
  readonly inFlight: number;
  readonly sweptAgoMs: number | null;
  readonly gatewayOffsetMs: number | null;
}

/**
 * Returns the time since the last sweep in milliseconds. For a process without a sweep, returns the
 * time since its start.
 */
export const sinceSweepMs = (
  { sweptAgoMs, startedAt }: Pick<WorkerProcess, "sweptAgoMs" | "startedAt">,
  nowMs: number,
): number => sweptAgoMs ?? nowMs - startedAt.getTime();

/** Returns the processes, newest first. */
export async function findWorkers(database: Database): Promise<WorkerProcess[]> {
  const { rows } = await sql<WorkerProcess>`
    select id, host, pid, version, works, slots, started_at as "startedAt", in_flight as "inFlight",
      (extract(epoch from now() - seen_at) * 1000)::double precision as "seenAgoMs",
      (extract(epoch from now() - swept_at) * 1000)::double precision as "sweptAgoMs",
      gateway_offset_ms as "gatewayOffsetMs"
    from workers order by started_at desc, id`.execute(database);
  return rows;
}

/** Counts of requests from the gateway to payrun. */
const INCOMING_COUNTERS = new Set<string>(["callbacks", "stray_callbacks"]);
const OUTGOING_POSITIONS = TRAFFIC_COUNTERS.flatMap((name, place) =>
  INCOMING_COUNTERS.has(name) ? [] : [place + 1],
);

/**
 * Returns when payrun last sent a request to the gateway, at most ten seconds too late. Null: not
 * within the stored days.
 */
export async function findLastRequestTime(database: Database): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select at from throughput_samples p where exists (
      select from unnest(p.counts) with ordinality c(count, place)
      where place = any(${OUTGOING_POSITIONS}) and count > 0)
    order by at desc limit 1`.execute(database);
  return rows[0] ? new Date(rows[0].at.getTime() + BUCKET_SECONDS * 1_000) : null;
}

export interface ThroughputSample {
  readonly at: Date;
  readonly counts: readonly number[];
  readonly latency: readonly number[];
}

/** The time of samples: the last `seconds`, in steps of `step` seconds. */
interface SampleSpan {
  readonly seconds: number;
  readonly step: number;
}

/**
 * Sums each position of the lists of a column over a step, and builds a list of the sums. `step` is
 * a row with the start of the step.
 */
const summed = (column: "counts" | "latency", stepSeconds: number, isMeant: RawBuilder<unknown>) =>
  sql`(
    select json_agg(total order by place) from (
      select place, sum(count)::float8 as total
      from throughput_samples p, unnest(${sql.ref(`p.${column}`)}) with ordinality c(count, place)
      where p.at >= step.from_at and p.at < step.from_at + ${stepSeconds} * interval '1 second' and ${isMeant}
      group by place) s)`;

const startOfStep = (stepSeconds: number) =>
  sql`to_timestamp(floor(extract(epoch from at) / ${stepSeconds}) * ${stepSeconds})`;

/**
 * Returns the throughput samples of all lanes or of one, oldest first. Steps without counts are
 * omitted.
 */
export async function findThroughputSamples(
  database: Database,
  { seconds, step, lane = null }: SampleSpan & { readonly lane?: string | null },
): Promise<ThroughputSample[]> {
  const isMeant = sql`(${lane}::text is null or lane = ${lane})`;
  const { rows } = await sql<ThroughputSample>`
    select step.from_at as at, ${summed("counts", step, isMeant)} as counts, ${summed("latency", step, isMeant)} as latency
    from (select distinct ${startOfStep(step)} as from_at
      from throughput_samples where at > now() - ${seconds} * interval '1 second' and ${isMeant}) step
    order by 1`.execute(database);
  return rows;
}

/** Throughput of one lane. */
export interface LaneThroughput extends ThroughputSample {
  readonly lane: string;
}

/** Returns the samples of each lane, oldest first, without steps that have no counts. */
export async function findLaneSamples(
  database: Database,
  { seconds, step }: SampleSpan,
): Promise<LaneThroughput[]> {
  const isMeant = sql`p.lane = step.lane`;
  const { rows } = await sql<LaneThroughput>`
    select step.lane, step.from_at as at, ${summed("counts", step, isMeant)} as counts, ${summed("latency", step, isMeant)} as latency
    from (select distinct lane, ${startOfStep(step)} as from_at
      from throughput_samples where lane <> '' and at > now() - ${seconds} * interval '1 second') step
    order by 1, 2`.execute(database);
  return rows;
}

/** Returns the jobs that ended in each queue, in steps of `step` seconds, oldest first. */
export async function findQueueSamples(
  database: Database,
  { seconds, step }: SampleSpan,
): Promise<(QueueSample & { readonly at: Date })[]> {
  const { rows } = await sql<QueueSample & { readonly at: Date }>`
    select ${startOfStep(step)} as at, queue, sum(finished)::float8 as finished, sum(failed)::float8 as failed
    from queue_samples where at > now() - ${seconds} * interval '1 second'
    group by 1, 2 order by 1, 2`.execute(database);
  return rows;
}
