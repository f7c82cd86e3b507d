import { type Labels, labelText } from "#base/telemetry/prometheus-text.ts";
import type { Overview } from "#views/operations/overview.ts";

type Sample = readonly [labels: Labels, value: number];

interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/**
 * Formats the operations overview for Prometheus, in seconds and bytes. Every figure is a gauge,
 * because it describes the whole ledger and not the answering process. Unknown figures have no
 * sample.
 */
export function metricsText(overview: Overview): string {
  return gaugesOf(overview)
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, samples }) => {
      const lines = samples.map(([labels, value]) => `payrun_${name}${labelText(labels)} ${value}`);
      return [`# HELP payrun_${name} ${help}`, `# TYPE payrun_${name} gauge`, ...lines].join("\n");
    })
    .join("\n")
    .concat("\n");
}

const gaugesOf = (overview: Overview): readonly Gauge[] => [
  ...payoutGauges(overview),
  ...laneGauges(overview),
  ...gatewayGauges(overview),
  ...workerGauges(overview),
  ...queueGauges(overview),
  ...ledgerGauges(overview),
];

function payoutGauges({
  at,
  alarms,
  in_doubt: doubt,
  on_hold: onHold,
}: Overview): readonly Gauge[] {
  const age = ageAt(at);
  return [
    gauge(
      "alarms",
      "Active alarms by level: critical, warning or info.",
      alarms.map(({ code, level }) => [{ code, level }, 1]),
    ),
    gauge("payouts_in_doubt", "Payouts in doubt.", [[{}, doubt.count]]),
    gauge(
      "payouts_in_doubt_oldest_seconds",
      "Seconds since the oldest payout in doubt was sent.",
      age({}, doubt.oldest_at),
    ),
    gauge(
      "payouts_on_hold",
      "Payouts on hold by reason.",
      onHold.by_reason.map(({ reason, count }) => [{ reason }, count]),
    ),
    gauge(
      "payouts_on_hold_oldest_seconds",
      "Seconds since the oldest payout was put on hold, by reason.",
      onHold.by_reason.flatMap(({ reason, oldest_at }) => age({ reason }, oldest_at)),
    ),
  ];
}

const laneGauges = ({ lanes, pause_of_all }: Overview): readonly Gauge[] => [
  gauge(
    "lane_payouts",
    "Payouts in progress by lane and state; at most 10,000 unsent and 10,000 sent payouts per batch are counted.",
    lanes.flatMap(({ lane, to_send, submitting, accepted, in_doubt }): Sample[] => [
      [{ lane, state: "approved" }, to_send],
      [{ lane, state: "submitting" }, submitting],
      [{ lane, state: "accepted" }, accepted],
      [{ lane, state: "in_doubt" }, in_doubt],
    ]),
  ),
  gauge(
    "lane_stopped",
    "1 if this circuit breaker has stopped the lane.",
    lanes.flatMap(({ lane, stop }): Sample[] =>
      stop ? [[{ lane, breaker: stop.breaker?.code ?? "none" }, 1]] : [],
    ),
  ),
  gauge("lane_paused", "1 if the lane, or every lane, has been paused manually.", [
    ...lanes.flatMap(({ lane, pause }): Sample[] => (pause ? [[{ lane }, 1]] : [])),
    ...(pause_of_all ? [[{ lane: "*" }, 1] as const] : []),
  ]),
];

const gatewayGauges = (overview: Overview): readonly Gauge[] => [
  gauge("sends_per_second", "Payout requests per second over the last minute.", [
    [{}, overview.sends_per_second],
  ]),
  gauge(
    "gateway_answers",
    "Number of requests and callbacks in the last ten minutes, by outcome.",
    Object.entries(overview.counts).map(([outcome, count]) => [{ outcome }, count]),
  ),
  gauge(
    "gateway_answer_seconds",
    "Median and 95th percentile of gateway response times over the last ten minutes.",
    [
      ...seconds({ quantile: "0.5" }, overview.p50_ms),
      ...seconds({ quantile: "0.95" }, overview.p95_ms),
    ],
  ),
];

function workerGauges({ at, workers }: Overview): readonly Gauge[] {
  const age = ageAt(at);
  const alive = workers.filter(({ is_alive, works }) => is_alive && works);
  return [
    gauge("workers", "Worker processes with a recent heartbeat.", [[{}, alive.length]]),
    gauge("submit_slots", "Maximum number of concurrent requests across all workers.", [
      [{}, sum(alive.map(({ slots }) => slots))],
    ]),
    gauge("submit_slots_used", "Number of requests in progress across all workers.", [
      [{}, sum(alive.map(({ in_flight }) => in_flight))],
    ]),
    gauge(
      "sweep_age_seconds",
      "Seconds since the slowest worker last scanned the ledger for due work.",
      largest(alive.flatMap(({ swept_at }) => age({}, swept_at))),
    ),
    gauge(
      "gateway_clock_offset_seconds",
      "Largest clock difference between a worker and the gateway, in seconds.",
      largest(
        alive.flatMap(({ gateway_offset_ms: ms }) =>
          seconds({}, ms === null ? null : Math.abs(ms)),
        ),
      ),
    ),
  ];
}

function queueGauges({ at, queue }: Overview): readonly Gauge[] {
  const age = ageAt(at);
  return [
    gauge(
      "queue_jobs",
      "Number of jobs in each queue, by state.",
      (queue.queues ?? []).flatMap(({ name, waiting, active, delayed }): Sample[] => [
        [{ queue: name, state: "waiting" }, waiting],
        [{ queue: name, state: "active" }, active],
        [{ queue: name, state: "delayed" }, delayed],
      ]),
    ),
    gauge(
      "queue_oldest_seconds",
      "Seconds since the oldest waiting job was added to the queue.",
      (queue.queues ?? []).flatMap(({ name, oldest_at }) => age({ queue: name }, oldest_at)),
    ),
    gauge("queue_reachable", "0 if the queues did not respond, otherwise 1.", [
      [{}, queue.queues ? 1 : 0],
    ]),
    gauge(
      "redis_used_bytes",
      "Memory used by Redis, in bytes.",
      queue.redis ? [[{}, queue.redis.used_bytes]] : [],
    ),
  ];
}

const ledgerGauges = ({ ledger }: Overview): readonly Gauge[] => [
  gauge(
    "ledger_frozen",
    "1 if the ledger is frozen: it may have lost records, and payrun is not sending payouts.",
    [[{}, ledger.is_frozen ? 1 : 0]],
  ),
  gauge("ledger_epoch", "Current ledger epoch. Each freeze starts the next epoch.", [
    [{}, ledger.epoch],
  ]),
  gauge(
    "database_clock_offset_seconds",
    "Seconds by which the database clock is ahead of the server clock.",
    [...seconds({}, ledger.clock_offset_ms)],
  ),
];

const gauge = (name: string, help: string, samples: readonly Sample[]): Gauge => ({
  name,
  help,
  samples,
});

const ageAt =
  (now: string) =>
  (labels: Labels, at: string | null): readonly Sample[] =>
    at === null ? [] : [[labels, Math.max(0, (Date.parse(now) - Date.parse(at)) / 1_000)]];

const seconds = (labels: Labels, ms: number | null): readonly Sample[] =>
  ms === null ? [] : [[labels, ms / 1_000]];

const largest = (samples: readonly Sample[]): readonly Sample[] =>
  samples.toSorted(([, one], [, other]) => other - one).slice(0, 1);

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
