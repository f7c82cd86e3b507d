import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OpenAttempt } from "#ledger/ledger.ts";
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
const ask = (text: string, values: unknown[] = []) => query(open.url, text, values);
const batchOf = (count: number) => approvedBatch(open.ledger, rowsOf(count));
const claim = (batchId: string, change = {}) => open.ledger.openAttempts(claimOf(batchId, change));
const move = (batchId: string, event: "pause" | "resume") =>
  open.ledger.moveBatch({ id: batchId, event, reason: null, actor: "test" });
const retryNow = () => ask("update lanes set retry_at = now() where reason is not null");
const doubt = (attempt: OpenAttempt) =>
  open.ledger.move({
    payoutId: attempt.payoutId,
    seq: attempt.seq,
    from: "submitting",
    event: "doubt",
    reason: "no_answer",
    dueInMs: 0,
    actor: "test",
    evidence: null,
  });

describe("a claim", () => {
  test("I4 has committed an attempt row for each payout when it returns", async () => {
    const { id } = await batchOf(3);
    const attempts = await claim(id);
    expect(
      attempts.map(({ number, intact, maybeArrived }) => [number, intact, maybeArrived]),
    ).toEqual(Array.from({ length: 3 }, () => [1, true, false]));
    // Over another connection: it is committed, not only written.
    const rows = await ask("select payout_id, number, key_id, worker from attempts order by 1");
    expect(rows).toEqual(
      attempts
        .map(({ payoutId }) => ({ payout_id: payoutId, number: 1, key_id: "k1", worker: "test" }))
        .map((row) => ({ ...row, payout_id: row.payout_id })),
    );
    expect(await ask("select distinct state, attempts from payouts")).toEqual([
      { state: "submitting", attempts: 1 },
    ]);
  });

  test("F11 many claimers at once never get the same payout", async () => {
    const { id } = await batchOf(60);
    const claimed = await Promise.all(
      Array.from({ length: 12 }, (_, worker) => claim(id, { sizeMax: 7, worker: `w${worker}` })),
    );
    const ids = claimed.flat().map(({ payoutId }) => payoutId);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = (await claim(id)).length;
    expect(ids.length + rest).toBe(60);
    expect(await ask("select count(*)::int as n from attempts")).toEqual([{ n: 60 }]);
  });

  test("takes the payouts in the order of the lines, and no more than asked for", async () => {
    const { id } = await batchOf(5);
    const lines = async (attempts: readonly OpenAttempt[]) =>
      (
        await ask("select line from payouts where id = any($1) order by line", [
          attempts.map(({ payoutId }) => payoutId),
        ])
      ).map((row) => row["line"]);
    expect(await lines(await claim(id, { sizeMax: 2 }))).toEqual([2, 3]);
    expect(await lines(await claim(id, { sizeMax: 2 }))).toEqual([4, 5]);
  });

  test("a paused batch yields nothing, and everything again when it goes on", async () => {
    const { id } = await batchOf(2);
    expect(await move(id, "pause")).not.toBeNull();
    expect(await claim(id)).toEqual([]);
    expect(await move(id, "resume")).not.toBeNull();
    expect(await claim(id)).toHaveLength(2);
  });

  test("what is not due yet is left", async () => {
    const { id } = await batchOf(2);
    await ask("update payouts set due_at = now() + interval '1 hour' where line = 2");
    expect(await claim(id)).toHaveLength(1);
  });

  test("I7 what was changed after the approval is not intact", async () => {
    const { id } = await batchOf(1);
    await ask("update payouts set amount_minor = amount_minor * 10");
    expect(await claim(id)).toMatchObject([{ intact: false }]);
  });

  test("I7 details of another payout do not open in its place", async () => {
    const { id } = await batchOf(2);
    await ask("alter table payout_details disable trigger append_only");
    await ask(`update payout_details d set sealed = o.sealed from payout_details o
      where d.payout_id = (select min(payout_id) from payout_details) and o.payout_id <> d.payout_id`);
    const attempts = await claim(id);
    expect(attempts.filter(({ intact }) => intact)).toHaveLength(1);
    expect(attempts).toHaveLength(2);
  });
});

describe("F59 a stopped lane", () => {
  const stop = (until: "wait" | "person") =>
    open.ledger.stopLane(INR, { until, reason: "no balance" });

  test("yields nothing, then one payout on trial, and everything once it is open", async () => {
    const { id } = await batchOf(5);
    await stop("wait");
    expect(await claim(id)).toEqual([]);
    await retryNow();
    expect(await claim(id)).toMatchObject([{ onTrial: true }]);
    expect(await claim(id)).toEqual([]);
    expect(await open.ledger.openLanes([INR])).toEqual([INR]);
    expect(await claim(id)).toHaveLength(4);
  });

  test("waits longer each time it is stopped on trial; a hundred at once count as one", async () => {
    await Promise.all(Array.from({ length: 100 }, () => stop("wait")));
    expect(await ask("select stops from lanes")).toEqual([{ stops: 1 }]);
    const waits: unknown[] = [];
    for (let round = 0; round < 3; round += 1) {
      await ask("update lanes set updated_at = now() - interval '1 second'");
      await stop("wait");
      waits.push(
        ...(await ask(
          "select round(extract(epoch from retry_at - now()))::int as wait from lanes",
        )),
      );
    }
    expect(waits).toEqual([{ wait: 2 }, { wait: 4 }, { wait: 8 }]);
  });

  test("needs a person: it is never tried by itself", async () => {
    const { id } = await batchOf(1);
    await stop("person");
    expect(await ask("select retry_at from lanes")).toEqual([{ retry_at: null }]);
    expect(await claim(id)).toEqual([]);
    expect(await open.ledger.stoppedLanes()).toMatchObject([{ lane: INR, needs: "person" }]);
  });

  test("a paused batch, or one with nothing to send, does not use up the trial of the others", async () => {
    const [paused, empty, other] = [await batchOf(1), await batchOf(1), await batchOf(1)];
    await claim(empty.id);
    await move(paused.id, "pause");
    await stop("wait");
    await retryNow();
    expect(await claim(paused.id)).toEqual([]);
    expect(await claim(empty.id)).toEqual([]);
    expect(await claim(other.id)).toMatchObject([{ onTrial: true }]);
  });

  test("does not concern the other lanes", async () => {
    const { id } = await approvedBatch(open.ledger, [{ currency: "THB" }, { currency: "INR" }]);
    await stop("person");
    expect(await claim(id)).toEqual([]);
    expect(await claim(id, { lane: laneIn("THB") })).toHaveLength(1);
  });
});

describe("sending a code in doubt again", () => {
  test("F55 is claimed by one, with the same code and payload, as another attempt", async () => {
    const { id } = await batchOf(1);
    const [first] = await claim(id);
    if (!first) throw new Error("nothing claimed");
    await doubt(first);
    const payout = { payoutId: first.payoutId, seq: first.seq + 1 };
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => open.ledger.reopenAttempt(claimOf(id), payout)),
    );
    const won = claims.filter((attempt) => attempt !== null);
    expect(won).toHaveLength(1);
    expect(won[0]).toMatchObject({
      number: 2,
      maybeArrived: true,
      intact: true,
      order: first.order,
    });
    expect(await ask("select count(distinct payload_digest)::int as n from attempts")).toEqual([
      { n: 1 },
    ]);
  });

  test("is refused while its batch is paused or its lane stopped", async () => {
    const { id } = await batchOf(1);
    const [first] = await claim(id);
    if (!first) throw new Error("nothing claimed");
    await doubt(first);
    const reopen = () =>
      open.ledger.reopenAttempt(claimOf(id), { payoutId: first.payoutId, seq: first.seq + 1 });
    await move(id, "pause");
    expect(await reopen()).toBeNull();
    await move(id, "resume");
    await open.ledger.stopLane(INR, { until: "person", reason: "wrong key" });
    expect(await reopen()).toBeNull();
    await open.ledger.openLanes([INR]);
    expect(await reopen()).not.toBeNull();
  });
});
