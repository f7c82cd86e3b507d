import { pino } from "pino";
import { type Clock, systemClock } from "#base/clock.ts";
import type { PayDeps } from "#flows/deps.ts";
import { SlowStart } from "#flows/slow-start.ts";
import { RequestSlots } from "#flows/request-slots.ts";
import type { PayoutClient } from "#gateway/client.ts";
import type { Evidence } from "#gateway/exchange.ts";
import type { JobContract } from "#jobs/job.ts";
import type { JobResult } from "#jobs/verdict.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { laneThresholds } from "#payout/lane/circuit-breaker-settings.ts";
import type { Outcome, StatusAnswer } from "#payout/outcome.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { TEST_KEYRING } from "./ledger.ts";

/** A gateway with set answers that records its requests. A fake, only for faults. */
export interface ScriptedGateway extends PayoutClient {
  submit: (order: PayoutOrder) => Outcome | Promise<Outcome>;
  answer: (code: string) => StatusAnswer;
  readonly sent: PayoutOrder[];
  readonly queried: string[];
}

const EVIDENCE: Evidence = {
  httpStatus: 200,
  code: null,
  text: "",
  elapsedMs: 1,
  dateOffsetMs: null,
};

export function scriptedGateway(): ScriptedGateway {
  const gateway: ScriptedGateway = {
    submit: () => ({ kind: "accepted" }),
    answer: () => ({ kind: "not_found", text: "" }),
    sent: [],
    queried: [],
    async submitPayout(order) {
      gateway.sent.push(order);
      return { kind: "attempted", outcome: await gateway.submit(order), evidence: EVIDENCE };
    },
    async status(_currency, code) {
      gateway.queried.push(code);
      return { answer: gateway.answer(code), evidence: EVIDENCE };
    },
    probe: async () => ({ reachable: true, detail: "", clockOffsetMs: 0 }),
    close: () => {},
  };
  return gateway;
}

export interface Hint {
  readonly queue: string;
  readonly id: string;
}

/**
 * Share after share, as the job returns: a share lasts a second, and a slow machine needs several.
 */
export async function untilDone(share: () => Promise<JobResult>): Promise<void> {
  let verdict = await share();
  while (verdict.kind === "again" && verdict.delayMs === 0) verdict = await share();
}

/**
 * Everything that the flows need, over a real ledger. Jobs for the queue are collected in `hints`.
 */
export function flowDeps(ledger: PayingLedger, gateway: PayoutClient, clock: Clock = systemClock) {
  const hints: Hint[] = [];
  const stop = new AbortController();
  const deps: PayDeps = {
    ledger,
    gateway,
    keyring: TEST_KEYRING,
    hints: {
      async add<Payload>(job: JobContract<Payload>, payloads: readonly Payload[]) {
        hints.push(...payloads.map((each) => ({ queue: job.queue, id: job.idOf(each) })));
      },
    },
    clock,
    log: pino({ level: "silent" }),
    timings: { resolveAfterMs: 10, resendAfterMs: 0, resendWithinMs: 3_600_000, random: () => 0 },
    worker: "test",
    slots: new RequestSlots(8),
    laneStart: new SlowStart(clock.monotonicMs, 30_000),
    timeoutMs: 30_000,
    thresholdsOf: (lane) => laneThresholds(lane, new Map()),
    leaseMs: 60_000,
    sendWithinMs: 30_000,
    callbackUrlOf: (merchantCode) => `https://pay.example/callbacks/${merchantCode}`,
    stopping: stop.signal,
  };
  return { deps, hints, stop };
}
