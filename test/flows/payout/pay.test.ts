import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { queryStatus } from "#flows/payout/status-query.ts";
import { dispatch } from "#flows/payout/dispatch.ts";
import { followDue } from "#flows/payout/follow-payouts.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import type { Outcome, StatusRecord } from "#payout/outcome.ts";
import { flowDeps, scriptedGateway, type ScriptedGateway, untilDone } from "../../support/flow.ts";
import { approvedBatch, laneIn, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

let open: TestLedger;
let gateway: ScriptedGateway;
let world: ReturnType<typeof flowDeps>;
beforeEach(async () => {
  open = await openTestLedger();
  gateway = scriptedGateway();
  world = flowDeps(open.ledger, gateway);
});
afterEach(() => open.close());

const payoutRoom = () => open.ledger.payout;
const INR = laneIn("INR");
const round = () => roundAt(systemClock.nowMs());
const jobOf = (batchId: string) => ({ batchId, lane: INR, slot: 0, rank: 1, round: round() });
const send = (batchId: string) => untilDone(() => submitDue(jobOf(batchId), world.deps));
const follow = (batchId: string) => untilDone(() => followDue(jobOf(batchId), world.deps));
const sql = (text: string) => query(open.url, text);
const states = async () =>
  (await sql("select state from payouts order by line")).map((row) => row["state"]);
const record =
  (change: Partial<StatusRecord> = {}) =>
  (code: string) => ({
    kind: "found" as const,
    record: {
      transactionCode: code,
      state: "completed" as const,
      amount: "100.00",
      currency: "INR",
      gatewayNumber: "WD1",
      fee: null,
      ...change,
    },
  });
const doubt: Outcome = { kind: "in_doubt", code: "no_answer", text: "no answer" };

describe("submit", () => {
  test("F05 F20 sends each payout once when run twice or concurrently", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(25));
    await Promise.all([send(id), send(id), send(id)]);
    await send(id);
    expect(gateway.sent).toHaveLength(25);
    expect(new Set(gateway.sent.map(({ transactionCode }) => transactionCode)).size).toBe(25);
  });

  test("I4 records the attempt before the request", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    let onRecord: unknown;
    gateway.submit = async () => {
      onRecord = await sql(
        "select p.state, count(*)::int as n from attempts a join payouts p on p.id = a.payout_id group by 1",
      );
      return { kind: "accepted" };
    };
    await send(id);
    expect(onRecord).toEqual([{ state: "submitting", n: 1 }]);
  });

  test("I7 puts on hold a payout whose stored content differs from the approved one, without sending a byte", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    await force(open.url, "update payouts set amount_minor = 1 where line = 2");
    await send(id);
    expect(gateway.sent).toHaveLength(1);
    expect(await states()).toEqual(["on_hold", "accepted"]);
  });

  test("I13 never exceeds the number of request slots", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(60));
    let now = 0;
    let most = 0;
    gateway.submit = async () => {
      most = Math.max(most, (now += 1));
      await new Promise((done) => setTimeout(done, 5));
      now -= 1;
      return { kind: "accepted" };
    };
    await Promise.all([send(id), send(id), send(id)]);
    expect(most).toBe(8);
    expect(new Set(await states())).toEqual(new Set(["accepted"]));
  });

  test("F98 stops claiming on shutdown, and records the requests in flight", async () => {
    const { id, lanes } = await approvedBatch(open.ledger, rowsOf(60));
    for (const { lane } of lanes) world.deps.laneStart.answered(lane);
    gateway.submit = async () => {
      world.stop.abort();
      await new Promise((done) => setTimeout(done, 5));
      return { kind: "accepted" };
    };
    await send(id);
    const seen = await states();
    expect(seen.filter((state) => state === "accepted")).toHaveLength(8);
    expect(seen.filter((state) => state === "approved")).toHaveLength(52);
  });

  test("keeps the lease of a failing send, without affecting others", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(5));
    gateway.submit = () => {
      if (gateway.sent.length === 2) throw new Error("a bug");
      return { kind: "accepted" };
    };
    await send(id);
    expect((await states()).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      "accepted",
      "accepted",
      "accepted",
      "accepted",
      "submitting",
    ]);
  });

  test("F12 counts an acceptance after the lease expired, and keeps its evidence", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    gateway.submit = async () => {
      await sql("update payouts set due_at = now()");
      await payoutRoom().expireLeases(id);
      return { kind: "accepted" };
    };
    await send(id);
    expect(await states()).toEqual(["accepted"]);
    expect((await sql("select kind from evidence order by id")).map((row) => row["kind"])).toEqual([
      "lease",
      "answer",
    ]);
  });

  test("F11 does not decline because of a refusal after the lease expired", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    gateway.submit = async () => {
      await sql("update payouts set due_at = now()");
      await payoutRoom().expireLeases(id);
      return { kind: "declined", code: "121", text: "bank not found" };
    };
    await send(id);
    expect(await states()).toEqual(["in_doubt"]);
  });
});

describe("resolve", () => {
  test("F37 F51 queries twice before it resends a payout in doubt, with the same code and content", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    gateway.submit = () => (gateway.sent.length === 1 ? doubt : { kind: "duplicate" });
    await send(id);
    for (let look = 0; look < 10 && gateway.sent.length < 2; look += 1) {
      await sql("update payouts set due_at = now()");
      await new Promise((done) => setTimeout(done, 10));
      await follow(id);
    }
    expect(gateway.queried.length).toBeGreaterThanOrEqual(2);
    expect(gateway.sent).toHaveLength(2);
    expect(gateway.sent[1]).toEqual(gateway.sent[0]);
    // 111 after a doubt means that the payout arrived. payrun follows it, but does not settle it
    // for that reason.
    expect(await states()).toEqual(["accepted"]);
  });

  test("F53 queries forever and resends nothing once the gateway may have forgotten the code", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    gateway.submit = () => doubt;
    await send(id);
    await sql(
      "update payouts set first_sent_at = now() - interval '2 hours', last_sent_at = now() - interval '2 hours'",
    );
    for (let look = 0; look < 4; look += 1) {
      await sql("update payouts set due_at = now()");
      await follow(id);
    }
    expect(gateway.sent).toHaveLength(1);
    expect(await sql("select state, reason from payouts")).toEqual([
      { state: "on_hold", reason: "resend_window_over" },
    ]);
  });

  test("queries an accepted payout until it is settled, then stops", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(3));
    await send(id);
    gateway.answer = record({ state: "pending" });
    await sql("update payouts set due_at = now()");
    await follow(id);
    expect(await states()).toEqual(["accepted", "accepted", "accepted"]);
    gateway.answer = record();
    await sql("update payouts set due_at = now()");
    await follow(id);
    expect(await states()).toEqual(["settled", "settled", "settled"]);
    const asked = gateway.queried.length;
    await sql("update payouts set due_at = now()");
    await follow(id);
    expect(gateway.queried).toHaveLength(asked);
  });

  test("F58 changes a finished batch to one with exceptions when the gateway takes back a settled payout", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    await send(id);
    gateway.answer = record();
    await sql("update payouts set due_at = now()");
    await follow(id);
    await dispatch(world.deps);
    const clean = await payoutRoom().findBatch({ id });
    expect(clean?.state).toBe("finished");

    gateway.answer = record({ state: "failed" });
    const code = gateway.sent[0]?.transactionCode ?? "";
    for (let answers = 0; answers < 2; answers += 1) {
      const question = await payoutRoom().findStatusQuery(code);
      await Promise.all([1, 2].map(async () => question && queryStatus(question, world.deps)));
      await sql("update payouts set status_answer_since = status_answer_since - interval '1 hour'");
    }
    expect(new Set(await states())).toEqual(new Set(["returned", "settled"]));
    expect(await payoutRoom().findBatch({ id })).toMatchObject({
      state: "finished_with_exceptions",
      finishedAt: clean?.finishedAt,
    });
    const audit = await sql("select action from audit where object <> 'ledger' order by seq");
    expect(audit.map(({ action }) => action)).toEqual([
      "ingest",
      "approve",
      "finish",
      "finish_with_exceptions",
    ]);
  });

  test("makes one transition when five workers query the same payout concurrently", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    await send(id);
    gateway.answer = record();
    const code = gateway.sent[0]?.transactionCode ?? "";
    const questions = await Promise.all(
      [1, 2, 3, 4, 5].map(() => payoutRoom().findStatusQuery(code)),
    );
    await Promise.all(
      questions.flatMap((question) => (question ? [queryStatus(question, world.deps)] : [])),
    );
    expect(await sql("select event from transitions order by seq")).toEqual(
      ["approve", "send", "accept", "settle"].map((event) => ({ event })),
    );
  });
});

describe("dispatch", () => {
  test("F17 F23 queues a bounded number of jobs, however large the batch and however often it runs", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(5_000));
    for (let sweep = 0; sweep < 5; sweep += 1) await dispatch(world.deps);
    const ids = new Set(world.hints.map((hint) => hint.id));
    expect(ids.size).toBeGreaterThan(0);
    expect(ids.size).toBeLessThanOrEqual(16); // a round may have ended in between
    expect([...ids].every((each) => each.includes(id))).toBe(true);
  });

  test("F16 F23 sends nothing for jobs that a newer round has replaced", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(3));
    const job = jobOf(id);
    expect(await submitDue({ ...job, round: job.round - 2 }, world.deps)).toEqual({ kind: "done" });
    expect(await followDue({ ...job, round: job.round - 2 }, world.deps)).toEqual({ kind: "done" });
    expect(gateway.sent).toEqual([]);
  });

  test("finishes a batch when its last payout is final", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    await send(id);
    await dispatch(world.deps);
    expect((await payoutRoom().findBatch({ id }))?.state).toBe("approved");
    gateway.answer = record();
    await sql("update payouts set due_at = now()");
    await follow(id);
    await dispatch(world.deps);
    expect((await payoutRoom().findBatch({ id }))?.state).toBe("finished");
  });

  test("F57 stops a lane with more than 500 payouts in doubt, and reopens it when half are explained", async () => {
    await approvedBatch(open.ledger, rowsOf(502));
    const later = "due_at = now() + interval '1 hour' where line between";
    const doubtAll = (from: number, to: number, state: string) =>
      force(open.url, `update payouts set state = '${state}', ${later} ${from} and ${to}`);
    await doubtAll(2, 501, "in_doubt");
    await dispatch(world.deps);
    expect(await payoutRoom().stoppedLanes()).toEqual([]);
    await doubtAll(502, 502, "in_doubt");
    await dispatch(world.deps);
    expect(await payoutRoom().stoppedLanes()).toMatchObject([{ lane: INR, needs: "answers" }]);
    await doubtAll(2, 251, "accepted");
    await dispatch(world.deps);
    expect(await payoutRoom().stoppedLanes()).toHaveLength(1);
    await doubtAll(252, 252, "accepted");
    await dispatch(world.deps);
    expect(await payoutRoom().stoppedLanes()).toEqual([]);
  });
});
