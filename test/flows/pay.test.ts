import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#clock.ts";
import { ask } from "#flows/ask.ts";
import { dispatch } from "#flows/dispatch.ts";
import { resolve } from "#flows/resolve.ts";
import { submit } from "#flows/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import type { Outcome, StatusRecord } from "#payout/outcome.ts";
import { flowDeps, toldGateway, type ToldGateway, toTheEnd } from "../support/flow.ts";
import { approvedBatch, laneIn, openTestLedger, type TestLedger } from "../support/ledger.ts";
import { rowsOf } from "../support/payrun.ts";
import { force, query } from "../support/postgres.ts";

let open: TestLedger;
let gateway: ToldGateway;
let world: ReturnType<typeof flowDeps>;
beforeEach(async () => {
  open = await openTestLedger();
  gateway = toldGateway();
  world = flowDeps(open.ledger, gateway);
});
afterEach(() => open.close());

const INR = laneIn("INR");
const jobOf = (batchId: string) => ({
  batchId,
  lane: INR,
  slot: 0,
  rank: 1,
  round: roundAt(systemClock.nowMs()),
});
const send = (batchId: string) => toTheEnd(() => submit(jobOf(batchId), world.deps));
const follow = (batchId: string) => toTheEnd(() => resolve(jobOf(batchId), world.deps));
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
  test("F05 F20 run twice, and twice at once, sends each payout once", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(25));
    await Promise.all([send(id), send(id), send(id)]);
    await send(id);
    expect(gateway.sent).toHaveLength(25);
    expect(new Set(gateway.sent.map(({ transactionCode }) => transactionCode)).size).toBe(25);
  });

  test("I4 the attempt is on record before the request is made", async () => {
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

  test("I7 what is stored other than approved is held, and not a byte is sent", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    await force(open.url, "update payouts set amount_minor = 1 where line = 2");
    await send(id);
    expect(gateway.sent).toHaveLength(1);
    expect(await states()).toEqual(["held", "accepted"]);
  });

  test("I13 never has more requests under way than there are slots", async () => {
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

  test("F98 stops claiming when the process is to end, and records what is on the wire", async () => {
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

  test("a send that breaks keeps its lease, and harms no other", async () => {
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

  test("F12 an acceptance after the lease ran out still counts; its evidence is kept", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    gateway.submit = async () => {
      await sql("update payouts set due_at = now()");
      await open.ledger.expireLeases(id);
      return { kind: "accepted" };
    };
    await send(id);
    expect(await states()).toEqual(["accepted"]);
    expect((await sql("select kind from evidence order by id")).map((row) => row["kind"])).toEqual([
      "lease",
      "answer",
    ]);
  });

  test("F11 a refusal after the lease ran out declines nothing", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    gateway.submit = async () => {
      await sql("update payouts set due_at = now()");
      await open.ledger.expireLeases(id);
      return { kind: "declined", code: "121", text: "bank not found" };
    };
    await send(id);
    expect(await states()).toEqual(["in_doubt"]);
  });
});

describe("resolve", () => {
  test("F37 F51 asks twice before it sends a doubt again, with the same code and content", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    gateway.submit = () => (gateway.sent.length === 1 ? doubt : { kind: "duplicate" });
    await send(id);
    for (let look = 0; look < 10 && gateway.sent.length < 2; look += 1) {
      await sql("update payouts set due_at = now()");
      await new Promise((done) => setTimeout(done, 10));
      await follow(id);
    }
    expect(gateway.asked.length).toBeGreaterThanOrEqual(2);
    expect(gateway.sent).toHaveLength(2);
    expect(gateway.sent[1]).toEqual(gateway.sent[0]);
    // 111 after a doubt: it arrived, and is followed; it is not settled by that.
    expect(await states()).toEqual(["accepted"]);
  });

  test("F53 asks for ever and sends nothing again once the gateway may have forgotten", async () => {
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
      { state: "held", reason: "resend_window_over" },
    ]);
  });

  test("accepted is asked for until it is settled, and then no more", async () => {
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
    const asked = gateway.asked.length;
    await sql("update payouts set due_at = now()");
    await follow(id);
    expect(gateway.asked).toHaveLength(asked);
  });

  test("F58 a settled payout that the gateway takes back makes a clean end one with exceptions", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    await send(id);
    gateway.answer = record();
    await sql("update payouts set due_at = now()");
    await follow(id);
    await dispatch(world.deps);
    const clean = await open.ledger.findBatch({ id });
    expect(clean?.state).toBe("finished");

    gateway.answer = record({ state: "failed" });
    const code = gateway.sent[0]?.transactionCode ?? "";
    const question = await open.ledger.questionAbout(code);
    await Promise.all([1, 2].map(async () => question && ask(question, world.deps)));
    expect(new Set(await states())).toEqual(new Set(["held", "settled"]));
    expect(await open.ledger.findBatch({ id })).toMatchObject({
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

  test("five askers at once of one payout make one move", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    await send(id);
    gateway.answer = record();
    const code = gateway.sent[0]?.transactionCode ?? "";
    const questions = await Promise.all(
      Array.from({ length: 5 }, () => open.ledger.questionAbout(code)),
    );
    await Promise.all(
      questions.flatMap((question) => (question ? [ask(question, world.deps)] : [])),
    );
    expect(await sql("select event from transitions order by seq")).toEqual(
      ["approve", "send", "accept", "settle"].map((event) => ({ event })),
    );
  });
});

describe("dispatch", () => {
  test("F17 F23 puts a bounded number of jobs on the queue, however large the batch and however often", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(5_000));
    for (let sweep = 0; sweep < 5; sweep += 1) await dispatch(world.deps);
    const ids = new Set(world.hints.map((hint) => hint.id));
    expect(ids.size).toBeGreaterThan(0);
    expect(ids.size).toBeLessThanOrEqual(16); // a round may have ended in between
    expect([...ids].every((each) => each.includes(id))).toBe(true);
  });

  test("F16 F23 jobs that a newer round has replaced send nothing and end", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(3));
    const job = jobOf(id);
    expect(await submit({ ...job, round: job.round - 2 }, world.deps)).toEqual({ kind: "done" });
    expect(await resolve({ ...job, round: job.round - 2 }, world.deps)).toEqual({ kind: "done" });
    expect(gateway.sent).toEqual([]);
  });

  test("ends a batch when its last payout has ended", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    await send(id);
    await dispatch(world.deps);
    expect((await open.ledger.findBatch({ id }))?.state).toBe("approved");
    gateway.answer = record();
    await sql("update payouts set due_at = now()");
    await follow(id);
    await dispatch(world.deps);
    expect((await open.ledger.findBatch({ id }))?.state).toBe("finished");
  });

  test("F57 stops a lane with more than 500 in doubt, and opens it when half of them are explained", async () => {
    await approvedBatch(open.ledger, rowsOf(502));
    const later = "due_at = now() + interval '1 hour' where line between";
    const doubtAll = (from: number, to: number, state: string) =>
      force(open.url, `update payouts set state = '${state}', ${later} ${from} and ${to}`);
    await doubtAll(2, 501, "in_doubt");
    await dispatch(world.deps);
    expect(await open.ledger.stoppedLanes()).toEqual([]);
    await doubtAll(502, 502, "in_doubt");
    await dispatch(world.deps);
    expect(await open.ledger.stoppedLanes()).toMatchObject([{ lane: INR, needs: "answers" }]);
    await doubtAll(2, 251, "accepted");
    await dispatch(world.deps);
    expect(await open.ledger.stoppedLanes()).toHaveLength(1);
    await doubtAll(252, 252, "accepted");
    await dispatch(world.deps);
    expect(await open.ledger.stoppedLanes()).toEqual([]);
  });
});
