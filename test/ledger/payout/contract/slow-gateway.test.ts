import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { queryStatus } from "#flows/payout/status-query.ts";
import { SlowStart } from "#flows/slow-start.ts";
import { RequestSlots } from "#flows/request-slots.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import { formatMoney } from "#money/format.ts";
import { flowDeps, scriptedGateway } from "../../../support/flow.ts";
import { ledgerSteps, INR, MINUTE_MS } from "../../../support/ledger-steps.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

const TIMEOUT_MS = 30_000;
const PROCESSING_MS = 75_000;

describe.each(LEDGERS)("a gateway slower than the timeout, in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, questions } = ledgerSteps(() => subject);

  /** Every request times out. `isQuick` answers in time. */
  const slowGateway = () => {
    const gateway = scriptedGateway();
    const told = { isQuick: false };
    const client = {
      ...gateway,
      async submitPayout(order: Parameters<typeof gateway.submitPayout>[0]) {
        if (told.isQuick) return gateway.submitPayout(order);
        gateway.sent.push(order);
        await sleep(20);
        const outcome = {
          kind: "in_doubt",
          code: "no_answer",
          text: "no response (ETIMEDOUT)",
        } as const;
        const evidence = { httpStatus: null, code: null, text: "", dateOffsetMs: null };
        const elapsed = { ...evidence, elapsedMs: TIMEOUT_MS };
        return { kind: "attempted", outcome, evidence: elapsed } as const;
      },
    };
    return { client, gateway, told };
  };
  const doubts = async () =>
    (await subject.payouts()).filter(({ state }) => state === "in_doubt").length;

  test("F55 leaves a handful of 200 payouts in doubt, and opens when it answers in time again", async () => {
    const { id: batchId } = await batchOf(200);
    const { client, gateway, told } = slowGateway();
    const { deps: usual } = flowDeps(subject.ledger, client);
    const deps = {
      ...usual,
      slots: new RequestSlots(32),
      laneStart: new SlowStart(usual.clock.monotonicMs, TIMEOUT_MS),
      timeoutMs: TIMEOUT_MS,
    };
    const work = async () => {
      const job = { batchId, lane: INR, rank: 0, round: roundAt(deps.clock.nowMs()) };
      for (let round = 0; round < 6; round += 1) {
        await Promise.all([0, 1, 2, 3].map((slot) => submitDue({ ...job, slot }, deps)));
      }
    };
    await work();
    expect(await doubts()).toBeLessThanOrEqual(6);
    const reasonOf = async () => (await subject.ledger.payout.stoppedLanes())[0]?.reason;
    expect(await reasonOf()).toBe(
      `the gateway responds after the timeout on lane ${INR}: GATEWAY_TIMEOUT_MS is 30000 (30 s), no late response has arrived yet; raise GATEWAY_TIMEOUT_MS or contact the provider`,
    );
    // The lane's wait ends repeatedly: nothing new is tried while these are in doubt.
    for (let minute = 0; minute < 5; minute += 1) {
      await subject.pass(MINUTE_MS);
      await work();
    }
    expect(await doubts()).toBeLessThanOrEqual(6);

    // The gateway shows them after 75 s, and answers in time from now on.
    const toldOf = new Map(gateway.sent.map((order) => [order.transactionCode, order]));
    gateway.answer = (transactionCode) => ({
      kind: "found",
      record: {
        transactionCode,
        state: "pending",
        currency: "INR",
        amount: formatMoney(
          toldOf.get(transactionCode)?.money ?? { currency: "INR", minor: 0n, minorDigits: 2 },
        ),
        gatewayNumber: null,
        fee: null,
      },
    });
    for (const question of await questions(batchId)) {
      await queryStatus(
        {
          ...question,
          statusAnswer: "not_found",
          sinceLastSentMs: PROCESSING_MS,
          statusAnswerAgoMs: 0,
        },
        deps,
      );
    }
    expect(await doubts()).toBe(0);
    expect(await subject.ledger.payout.longestProcessingMs(INR)).toBe(PROCESSING_MS);
    told.isQuick = true;
    for (let trial = 0; trial < 4; trial += 1) {
      await subject.pass(2 * MINUTE_MS);
      await work();
    }
    expect(await reasonOf()).toBeUndefined();
    expect(await doubts()).toBe(0);
  });

  test("counts a status query that shows a payout later than the timeout", async () => {
    const { id: batchId } = await batchOf(3);
    const { client, gateway } = slowGateway();
    const { deps } = flowDeps(subject.ledger, client);
    await submitDue(
      { batchId, lane: INR, rank: 0, slot: 0, round: roundAt(deps.clock.nowMs()) },
      deps,
    );
    await subject.pass(MINUTE_MS);
    expect(await subject.ledger.payout.stoppedLanes()).toEqual([]);
    const [first] = await questions(batchId);
    if (!first) throw new Error("nothing to ask about");
    gateway.answer = (transactionCode) => ({
      kind: "found",
      record: {
        transactionCode,
        state: "pending",
        currency: "INR",
        amount: formatMoney(first.money),
        gatewayNumber: null,
        fee: null,
      },
    });
    const late = {
      statusAnswer: "not_found",
      sinceLastSentMs: PROCESSING_MS,
      statusAnswerAgoMs: 0,
    } as const;
    await queryStatus({ ...first, ...late }, deps);
    await queryStatus({ ...first, ...late }, deps);
    const [stop] = await subject.ledger.payout.stoppedLanes();
    expect(stop?.breaker).toBe("slow");
    expect(stop?.reason).toContain("the longest processing time in the last day is 75 s");
  });
});
