import type { PayDeps } from "#flows/deps.ts";
import { tick } from "#flows/schedule/tick.ts";
import { SlowStart } from "#flows/slow-start.ts";
import { RequestSlots } from "#flows/request-slots.ts";
import { createGatewayClient } from "#gateway/client.ts";
import { tickJob } from "#jobs/tick.ts";
import type { JobContract } from "#jobs/job.ts";
import type { JobResult } from "#jobs/verdict.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import type { Log } from "#base/log.ts";
import { type LaneThresholds, laneThresholds } from "#payout/lane/circuit-breaker-settings.ts";
import { startWorkers } from "#workers/workers.ts";
import type { Checker } from "./checker.ts";
import type { Gateway } from "#proof/simulation/gateway/gateway.ts";
import type { SimProcess } from "#proof/simulation/world/process.ts";
import { KEYRING } from "./merchants.ts";
import type { Queue } from "./queue.ts";
import type { Scenario } from "./scenario.ts";
import { wireOf } from "./wire.ts";

interface Surroundings {
  readonly life: SimProcess;
  readonly ledger: PayingLedger;
  readonly gateway: Gateway;
  readonly queue: Queue;
  readonly checker: Checker;
  readonly scenario: Scenario;
  readonly log: Log;
}

const LEASE_SLACK_MS = 5_000;

/**
 * Starts the product's own workers in this process, over in-memory substitutes. Returns the
 * dependencies of its flows.
 */
export function startWorker(
  { life: proc, ledger, gateway, queue, checker, scenario, log }: Surroundings,
  change: (deps: PayDeps) => PayDeps,
): PayDeps {
  const { slots, timeoutMs, resolveAfterMs, resendAfterMs, remembersMs } = scenario;
  const stop = new AbortController();
  const brakes = new Map<string, LaneThresholds>();
  const options = {
    url: "https://gateway.example",
    keyring: KEYRING,
    timeoutMs,
    payoutLayout: scenario.layout,
    escaping: scenario.escaping,
    statusEncoding: scenario.statusEncoding,
    maxSockets: slots,
    clock: proc.clock,
    userAgent: "payrun",
  };
  const deps = change({
    ledger,
    gateway: createGatewayClient(options, wireOf(proc, gateway, timeoutMs, checker)),
    keyring: KEYRING,
    hints: queue.hintsOf(proc),
    clock: proc.clock,
    log,
    timings: {
      resolveAfterMs,
      resendAfterMs,
      resendWithinMs: remembersMs / 2,
      random: proc.world.random.next,
    },
    worker: proc.name,
    slots: new RequestSlots(slots),
    laneStart: new SlowStart(proc.clock.monotonicMs, timeoutMs),
    timeoutMs,
    thresholdsOf: (lane) => {
      const known = brakes.get(lane) ?? laneThresholds(lane, scenario.circuitBreakers);
      brakes.set(lane, known);
      return known;
    },
    leaseMs: timeoutMs + LEASE_SLACK_MS,
    sendWithinMs: LEASE_SLACK_MS,
    callbackUrlOf: () => null,
    stopping: stop.signal,
  });
  const engine = { kind: "redis", url: "" } as const;
  const isTimed = scenario.files.some(({ sendAfterMs }) => sendAfterMs !== null);
  const checking = new Set<string>();
  const ticks = {
    // Lists of banks and limits change while a batch waits.
    recheckBatch: async () => (proc.world.random.isTrue(0.1) ? ["a bank is gone"] : []),
    run: () => tick({ ledger: deps.ledger, log, recheckBatch: ticks.recheckBatch, checking }),
    keepScheduled: () => deps.hints.add(tickJob, [{ v: 1 as const }]),
  };
  startWorkers(
    { deps, engine, stop, ...(isTimed && { ticks }) },
    (contract, flow, { concurrency }) => {
      consume(queue, proc, contract, flow, concurrency);
      return { close: () => Promise.resolve() };
    },
  );
  return deps;
}

function consume<Payload>(
  queue: Queue,
  proc: SimProcess,
  { queue: name, schema }: JobContract<Payload>,
  flow: (payload: Payload) => Promise<JobResult>,
  concurrency: number,
): void {
  queue.consume(proc, name, concurrency, async (payload) => flow(schema.parse(payload)));
}

/**
 * Log lines as text; the stack of an error separately, because it shows the code's location and not
 * what happened.
 */
export function logTo(write: (text: string, stack: string) => void): Log {
  const line = (fields: unknown, message?: string) => {
    let stack = "";
    const text = JSON.stringify(fields, (_name, value: unknown) => {
      if (!(value instanceof Error)) return value;
      stack += value.stack;
      return value.message;
    });
    write(`${text} ${message ?? ""}`, stack);
  };
  return { debug: line, info: line, warn: line, error: line } as unknown as Log;
}
