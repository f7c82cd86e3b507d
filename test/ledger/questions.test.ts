import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  approvedBatch,
  claimOf,
  laneIn,
  openTestLedger,
  type TestLedger,
} from "../support/ledger.ts";
import { rowsOf } from "../support/payrun.ts";
import { query } from "../support/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const INR = laneIn("INR");
const ask = (text: string) => query(open.url, text);
const takeOf = (batchId: string) => ({ batchId, lane: INR, sizeMax: 50, leaseMs: 60_000 });

async function accepted(count: number): Promise<string> {
  const { id } = await approvedBatch(open.ledger, rowsOf(count));
  const attempts = await open.ledger.openAttempts(claimOf(id));
  const move = { from: "submitting", event: "accept", reason: null, dueInMs: 0 } as const;
  await Promise.all(
    attempts.map(({ payoutId, seq }) =>
      open.ledger.move({ payoutId, seq, ...move, actor: "test", evidence: null }),
    ),
  );
  return id;
}

describe("questions", () => {
  test("each is taken by one asker, and due again when its lease has run out", async () => {
    const id = await accepted(30);
    const taken = await Promise.all(
      Array.from({ length: 5 }, () => open.ledger.takeQuestions({ ...takeOf(id), sizeMax: 10 })),
    );
    const ids = taken.flat().map(({ payoutId }) => payoutId);
    expect(new Set(ids).size).toBe(ids.length);
    await open.ledger.takeQuestions(takeOf(id));
    expect(await open.ledger.takeQuestions(takeOf(id))).toEqual([]);
    await ask("update payouts set due_at = now()");
    expect(await open.ledger.takeQuestions(takeOf(id))).toHaveLength(30);
  });

  test("go on in a paused batch: what was sent is followed", async () => {
    const id = await accepted(2);
    await open.ledger.moveBatch({ id, event: "pause", reason: null, actor: "test" });
    expect(await open.ledger.workingBatches()).toMatchObject([{ id }]);
    expect(await open.ledger.takeQuestions(takeOf(id))).toHaveLength(2);
  });

  test("what is being submitted is nobody's question before its lease has run out", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    await open.ledger.openAttempts(claimOf(id, { leaseMs: 0 }));
    expect(await open.ledger.takeQuestions(takeOf(id))).toEqual([]);
  });
});

describe("F02 F13 a lease that ran out", () => {
  test("makes the payout a doubt, counts the crash, keeps evidence; twice is once", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    await open.ledger.openAttempts(claimOf(id, { sizeMax: 1, leaseMs: 0 }));
    await open.ledger.openAttempts(claimOf(id, { sizeMax: 1, leaseMs: 60_000 }));
    expect(await open.ledger.expireLeases(id)).toBe(1);
    expect(await open.ledger.expireLeases(id)).toBe(0);
    expect(
      await ask("select state, crashes, maybe_arrived, reason from payouts order by line"),
    ).toEqual([
      { state: "in_doubt", crashes: 1, maybe_arrived: true, reason: "lease_expired" },
      { state: "submitting", crashes: 0, maybe_arrived: false, reason: null },
    ]);
    expect(await ask("select kind, attempt from evidence")).toEqual([
      { kind: "lease", attempt: 1 },
    ]);
    expect(await open.ledger.takeQuestions(takeOf(id))).toMatchObject([
      { state: "in_doubt", crashes: 1, maybeArrived: true },
    ]);
  });
});

describe("F70 a callback", () => {
  const facts = { transactionCode: "PR1", state: "completed", amount: "100.00" };

  test("brings the question forward and changes no state", async () => {
    const id = await accepted(1);
    await ask("update payouts set due_at = now() + interval '1 hour'");
    const [payout] = await ask("select id from payouts");
    await open.ledger.askNow(Number(payout?.["id"]));
    expect(await open.ledger.takeQuestions(takeOf(id))).toMatchObject([{ state: "accepted" }]);
  });

  test.each(["approved", "settled", "declined", "held"])(
    "brings nothing forward for a payout that is %s",
    async (state) => {
      await accepted(1);
      await ask(`update payouts set state = '${state}', due_at = now() + interval '1 hour'`);
      const [payout] = await ask("select id from payouts");
      await open.ledger.askNow(Number(payout?.["id"]));
      expect(
        await ask("select due_at > now() + interval '50 minutes' as later from payouts"),
      ).toEqual([{ later: true }]);
    },
  );

  test("F71 F73 repeated is kept once; one of a foreign code is kept apart", async () => {
    await accepted(1);
    const [payout] = await ask("select id from payouts");
    const payoutId = Number(payout?.["id"]);
    await Promise.all(
      [payoutId, null, payoutId, null, payoutId, null].map((id) =>
        open.ledger.recordCallback({ payoutId: id, facts }),
      ),
    );
    expect(await ask("select kind from evidence")).toEqual([{ kind: "callback" }]);
    expect(await ask("select facts from stray_callbacks")).toEqual([{ facts }]);
  });
});
