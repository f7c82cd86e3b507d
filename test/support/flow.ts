import { pino } from "pino";
import { type Clock, systemClock } from "#base/clock.ts";
import type { PayDeps } from "#flows/deps.ts";
import { LaneStart } from "#flows/lane-start.ts";
import { Slots } from "#flows/request-slots.ts";
import type { PayoutClient } from "#gateway/client.ts";
import type { Evidence } from "#gateway/exchange.ts";
import type { JobContract } from "#jobs/job.ts";
import type { Verdict } from "#jobs/verdict.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { laneBrakes } from "#payout/lane/circuit-breaker-settings.ts";
import type { Outcome, StatusAnswer } from "#payout/outcome.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { TEST_KEYRING } from "./ledger.ts";

/** A gateway with set answers that records its requests. A fake, only for faults. */
export interface ToldGateway extends PayoutClient {
  submit: (order: PayoutOrder) => Outcome | Promise<Outcome>;
  answer: (code: string) => StatusAnswer;
  readonly sent: PayoutOrder[];
  readonly asked: string[];
}

const EVIDENCE: Evidence = {
  httpStatus: 200,
  code: null,
  text: "",
  elapsedMs: 1,
  dateOffsetMs: null,
};

export function toldGateway(): ToldGateway {
  const gateway: ToldGateway = {
    submit: () => ({ kind: "accepted" }),
    answer: () => ({ kind: "not_found", text: "" }),
    sent: [],
    asked: [],
    async submitPayout(order) {
      gateway.sent.push(order);
      return { kind: "attempted", outcome: await gateway.submit(order), evidence: EVIDENCE };
    },
    async status(_currency, code) {
      gateway.asked.push(code);
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
export async function toTheEnd(share: () => Promise<Verdict>): Promise<void> {
  let verdict = await share();
  while (verdict.kind === "again" && verdict.delayMs === 0) verdict = await share();
}

/**
 * Everything that the flows need, over a real ledger. Jobs for the queue are collected in `hints`.
 */
export function flowDeps(ledger: Ledger, gateway: PayoutClient, clock: Clock = systemClock) {
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
    pace: { resolveAfterMs: 10, resendAfterMs: 0, resendWithinMs: 3_600_000, chance: () => 0 },
    worker: "test",
    slots: new Slots(8),
    laneStart: new LaneStart(clock.monotonicMs, 30_000),
    timeoutMs: 30_000,
    brakesOf: (lane) => laneBrakes(lane, new Map()),
    leaseMs: 60_000,
    sendWithinMs: 30_000,
    callbackUrlOf: (merchantCode) => `https://pay.example/callbacks/${merchantCode}`,
    stopping: stop.signal,
  };
  return { deps, hints, stop };
}
