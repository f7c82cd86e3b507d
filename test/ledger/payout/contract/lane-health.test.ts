import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { queryStatus } from "#flows/payout/status-query.ts";
import { checkLanes } from "#flows/payout/lane/circuit-breakers.ts";
import { updateLaneHealth } from "#flows/payout/lane/update-lane-health.ts";
import type { OpenAttempt } from "#ledger/ledger.ts";
import { formatMoney } from "#money/format.ts";
import { laneThresholds } from "#payout/lane/circuit-breaker-settings.ts";
import type { Outcome } from "#payout/outcome.ts";
import { flowDeps, scriptedGateway } from "../../../support/flow.ts";
import { ledgerSteps, INR, MINUTE_MS } from "../../../support/ledger-steps.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

const SILENT: Outcome = { kind: "in_doubt", code: "no_answer", text: "no answer" };
const BROKEN: Outcome = { kind: "in_doubt", code: "http_500", text: "HTTP 500" };
const ODD: Outcome = { kind: "in_doubt", code: "unknown_message", text: "Looked at: 12" };
const GOOD: Outcome = { kind: "accepted" };

/** Health rules of a lane, in the product's ledger and in the simulation's in-memory ledger. */
describe.each(LEDGERS)("a lane whose submissions fail, in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, claim, move } = ledgerSteps(() => subject);
  const comes = async (outcome: Outcome, times = 1, isProbe = false) => {
    const { deps } = flowDeps(subject.ledger, scriptedGateway());
    for (let time = 0; time < times; time += 1) {
      await updateLaneHealth({ lane: INR, isProbe }, outcome, 1, deps);
    }
  };
  const stops = async () =>
    (await subject.ledger.payout.stoppedLanes()).map(
      ({ breaker, needs }) => `${breaker}, ${needs}`,
    );
  const waitOf = async () => {
    const [lane] = await subject.ledger.payout.stoppedLanes();
    return Math.round((Number(lane?.retryAt) - Number(lane?.stoppedAt)) / 1_000);
  };
  const trial = async (id: string) => {
    const [attempt, ...more] = await claim(id);
    expect([attempt?.isProbe, more]).toEqual([true, []]);
  };

  test("is stopped by ten silences in a row, but not with an answer between them", async () => {
    await comes(SILENT, 9);
    await comes(GOOD);
    await comes(SILENT, 9);
    expect(await stops()).toEqual([]);
    await comes(SILENT);
    expect(await stops()).toEqual(["silence, wait"]);
  });

  test("is stopped by half of the last twenty in doubt, whichever process saw them", async () => {
    await comes(GOOD, 10);
    await comes(BROKEN, 9);
    expect(await stops()).toEqual([]);
    const { deps } = flowDeps(subject.another(), scriptedGateway());
    await updateLaneHealth({ lane: INR, isProbe: false }, BROKEN, 1, deps);
    expect(await stops()).toEqual(["errors, wait"]);
  });

  test("is opened by three probes in a row, and waits again for longer after a failed one", async () => {
    const { id } = await batchOf(9);
    await comes(BROKEN, 20);
    expect(await waitOf()).toBe(1);
    await subject.pass(2_000);
    await trial(id);
    await comes(GOOD, 1, true);
    await trial(id);
    await comes(BROKEN, 1, true);
    expect(await waitOf()).toBe(2);
    expect(await claim(id)).toEqual([]);
    await subject.pass(3_000);
    for (const _ of [1, 2, 3]) {
      expect(await stops()).toEqual(["errors, wait"]);
      await trial(id);
      await comes(GOOD, 1, true);
    }
    expect(await stops()).toEqual([]);
    await comes(BROKEN, 16);
    expect(await stops()).toEqual([]);
  });

  test("waits increasingly longer only while no probe is answered", async () => {
    const { id } = await batchOf(9);
    await comes(SILENT, 10);
    const waits: number[] = [];
    for (const outcome of [SILENT, SILENT, SILENT, GOOD, SILENT, SILENT]) {
      await subject.pass(MINUTE_MS);
      await trial(id);
      await comes(outcome, 1, true);
      if (outcome === SILENT) waits.push(await waitOf());
    }
    expect(waits).toEqual([2, 4, 8, 2, 4]);
  });

  test("needs a person after the same unknown answer more than five times, and stops for it once", async () => {
    await comes(GOOD, 10);
    for (const _ of [1, 2, 3, 4, 5]) {
      await comes(ODD);
      await comes(GOOD, 10);
    }
    expect(await stops()).toEqual([]);
    await comes(ODD);
    expect(await stops()).toEqual(["unknown_answer, person"]);
    await subject.pass(MINUTE_MS);
    await subject.ledger.payout.stopLane(INR, { until: "wait", reason: "late answer of another" });
    expect(await stops()).toEqual(["unknown_answer, person"]);
    await subject.ledger.payout.openLanes([INR], { actor: "ops", reason: "asked support" });
    await comes(ODD, 2);
    expect(await stops()).toEqual([]);
  });

  describe("a lane whose accepted payouts do not finish", () => {
    const thresholdsOf = () =>
      laneThresholds(
        INR,
        new Map([
          ["no_final_state_payouts", 2n],
          ["no_final_state_minutes", 60n],
        ]),
      );
    const sweep = async () => {
      const { deps } = flowDeps(subject.ledger, scriptedGateway());
      await checkLanes(new Set([INR]), { ...deps, thresholdsOf });
      return stops();
    };
    /** This many are accepted, and an hour later there is no news of any. */
    const acceptLongAgo = async (count: number) => {
      const { id } = await batchOf(count + 2);
      const attempts = await claim(id, { sizeMax: count });
      for (const attempt of attempts) await move(attempt);
      await subject.pass(61 * MINUTE_MS);
      return { id, attempts };
    };
    const end = async ({ order }: OpenAttempt, state: "completed" | "failed") => {
      const gateway = scriptedGateway();
      const record = { currency: "INR", amount: formatMoney(order.money), gatewayNumber: null };
      gateway.answer = (transactionCode) => ({
        kind: "found",
        record: { ...record, transactionCode, state, fee: null },
      });
      const question = await subject.ledger.payout.findStatusQuery(order.transactionCode);
      if (question) await queryStatus(question, flowDeps(subject.ledger, gateway).deps);
    };

    test("stops when enough of them are old, not earlier and not for fewer", async () => {
      await acceptLongAgo(1);
      expect(await sweep()).toEqual([]);
      const { id } = await batchOf(3);
      for (const attempt of await claim(id, { sizeMax: 1 })) await move(attempt);
      await subject.pass(59 * MINUTE_MS);
      expect(await sweep()).toEqual([]);
      await subject.pass(2 * MINUTE_MS);
      expect(await sweep()).toEqual(["no_final_state, answers"]);
      expect(await claim(id)).toEqual([]);
    });

    test.each(["completed", "failed"] as const)(
      "opens on its own with the first that is %s",
      async (state) => {
        const { id, attempts } = await acceptLongAgo(2);
        expect(await sweep()).toEqual(["no_final_state, answers"]);
        await end(attempts[0] as OpenAttempt, state);
        expect(await sweep()).toEqual([]);
        expect(await claim(id)).toHaveLength(2);
        expect(await sweep()).toEqual([]);
      },
    );

    test("gets the whole period again when a person opens it", async () => {
      const { id } = await acceptLongAgo(2);
      await sweep();
      await subject.ledger.payout.openLanes([INR], {
        actor: "user:ops",
        reason: "a holiday there",
      });
      expect(await sweep()).toEqual([]);
      expect(await claim(id)).toHaveLength(2);
      await subject.pass(61 * MINUTE_MS);
      expect(await sweep()).toEqual(["no_final_state, answers"]);
    });
  });

  test("ignores old observations", async () => {
    await comes(SILENT, 9);
    await subject.pass(6 * MINUTE_MS);
    await comes(SILENT);
    expect(await stops()).toEqual([]);
  });
});
