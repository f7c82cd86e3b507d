import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { queryStatus } from "#flows/payout/status-query.ts";
import { followCallback, readCallback, handleCallback } from "#flows/payout/callback.ts";
import { followDue } from "#flows/payout/follow-payouts.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { Cipher } from "#gateway/wire/cipher.ts";
import { createApp } from "#http/app/app.ts";
import { roundAt } from "#jobs/submit.ts";
import type { StatusRecord } from "#payout/outcome.ts";
import { Secret } from "#base/secret.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { flowDeps, scriptedGateway, type ScriptedGateway, untilDone } from "../../support/flow.ts";
import {
  approvedBatch,
  claimOf,
  laneIn,
  openTestLedger,
  type TestLedger,
} from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
let gateway: ScriptedGateway;
let world: ReturnType<typeof flowDeps>;
beforeEach(async () => {
  open = await openTestLedger();
  gateway = scriptedGateway();
  world = flowDeps(open.ledger, gateway);
});
afterEach(() => open.close());

const jobOf = (batchId: string) => ({
  batchId,
  lane: laneIn("INR"),
  slot: 0,
  rank: 1,
  round: roundAt(systemClock.nowMs()),
});
const sql = (text: string) => query(open.url, text);
async function receiveCallback(body: unknown): Promise<void> {
  const hint = readCallback(body, world.deps);
  if (hint) await handleCallback(hint, world.deps);
}
const states = async () =>
  (await sql("select state from payouts order by line")).map((row) => row["state"]);
const events = async () =>
  (await sql("select event from transitions order by payout_id, seq")).map((row) => row["event"]);

describe("F70 a callback", () => {
  const merchant = DEMO_MERCHANTS.find(({ currencies }) => currencies.includes("INR"));
  const bodyFor = (code: string) => {
    const cipher = new Cipher(
      new Secret(merchant?.api_key ?? ""),
      new Secret(merchant?.api_secret ?? ""),
    );
    const fields = {
      transaction_no: "WD1",
      transaction_code: code,
      transaction_status: 2,
      transaction_amount: "100.00",
      transaction_fee: "0.00",
      currency_code: "INR",
      transaction_ref: "",
    };
    return { key: encodeURIComponent(cipher.seal(JSON.stringify(fields))), transaction_code: code };
  };

  test("settles nothing even if it decrypts and reports completed, but moves the status query forward", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    await submitDue(jobOf(id), world.deps);
    await sql("update payouts set due_at = now() + interval '1 hour'");
    const code = gateway.sent[0]?.transactionCode ?? "";
    await receiveCallback(bodyFor(code));
    expect(await states()).toEqual(["accepted"]);
    expect(world.hints.map(({ queue }) => queue)).toEqual(["payrun-callback"]);
    gateway.answer = () => ({ kind: "not_found", text: "" });
    await followDue(jobOf(id), world.deps);
    expect(gateway.queried).toEqual([code]);
    expect(await states()).toEqual(["accepted"]);
  });

  test("about an unsent payout neither speeds up nor repeats its submission", async () => {
    const { id } = await approvedBatch(open.ledger, [{ code: "OWN-1" }]);
    await receiveCallback(bodyFor("OWN-1"));
    gateway.answer = () => ({ kind: "not_found", text: "" });
    await followCallback({ transactionCode: "OWN-1" }, world.deps);
    expect(await states()).toEqual(["approved"]);
    expect(await open.ledger.payout.openAttempts(claimOf(id))).toMatchObject([
      { maybeArrived: false },
    ]);
  });

  test("is logged and otherwise ignored when it is unreadable", async () => {
    const told: unknown[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => told.push(JSON.parse(line)) });
    expect(readCallback({ key: "AAAA" }, { ...world.deps, log })).toBeNull();
    expect(told).toMatchObject([{ level: 40, msg: "received an unreadable callback" }]);
    expect(world.hints).toEqual([]);
  });

  test("F73 with an unknown code is stored separately and triggers no query", async () => {
    await receiveCallback(bodyFor("NOBODY"));
    expect(await sql("select facts ->> 'transactionCode' as code from stray_callbacks")).toEqual([
      { code: "NOBODY" },
    ]);
    expect(world.hints).toEqual([]);
  });

  test("F71 F123 sent to two addresses and repeated by hand is stored once and settles once", async () => {
    await approvedBatch(open.ledger, [{ code: "OWN-2" }]).then(({ id }) =>
      submitDue(jobOf(id), world.deps),
    );
    gateway.answer = completed;
    const app = createApp({
      log: world.deps.log,
      openCallback: (body) => async () => {
        await receiveCallback(body);
        await followCallback({ transactionCode: "OWN-2" }, world.deps);
        handled += 1;
      },
      health: async () => [],
    });
    let handled = 0;
    const payload = JSON.stringify(bodyFor("OWN-2"));
    for (const url of ["/callbacks/SKU1", "/callbacks/back-office", "/callbacks/SKU1"]) {
      await app.inject({ method: "POST", url, payload });
    }
    await eventually("all three are followed", () => handled === 3);
    expect(await sql("select from evidence where kind = 'callback'")).toHaveLength(1);
    expect(await events()).toEqual(["approve", "send", "accept", "settle"]);
    await app.close();
  });

  test("F58 about a settled payout that is returned triggers a query, and a second one confirms it", async () => {
    const { id } = await approvedBatch(open.ledger, [{ code: "OWN-3" }]);
    await submitDue(jobOf(id), world.deps);
    gateway.answer = completed;
    await followCallback({ transactionCode: "OWN-3" }, world.deps);
    expect(await states()).toEqual(["settled"]);
    gateway.answer = (code) => completed(code, { state: "failed" });
    await receiveCallback(bodyFor("OWN-3"));
    await followCallback({ transactionCode: "OWN-3" }, world.deps);
    expect(await states()).toEqual(["settled"]);
    await systemClock.sleep(12 * world.deps.timings.resolveAfterMs);
    await followCallback({ transactionCode: "OWN-3" }, world.deps);
    expect(await sql("select state, reason from payouts")).toEqual([
      { state: "returned", reason: "returned_by_gateway: failed" },
    ]);
  });

  test("F72 before payrun's own answer, and answers in any order, lead to the same end", async () => {
    const orders = permutations(["pending", "completed", "not_found", "no_answer"] as const);
    const codes = orders.map((_, at) => `OWN-${at + 10}`);
    const { id } = await approvedBatch(
      open.ledger,
      codes.map((code) => ({ code })),
    );
    gateway.submit = async ({ transactionCode }) => {
      await receiveCallback(bodyFor(transactionCode));
      const question = await open.ledger.payout.findStatusQuery(transactionCode);
      if (question) await queryStatus(question, world.deps);
      return { kind: "accepted" };
    };
    gateway.answer = completed;
    await untilDone(() => submitDue(jobOf(id), world.deps));
    expect(new Set(await states())).toEqual(new Set(["accepted"]));

    // All four started the query at the same time. Their answers are recorded in this order.
    await Promise.all(
      orders.map(async (order, at) => {
        const question = await open.ledger.payout.findStatusQuery(codes[at] ?? "");
        if (!question) throw new Error("no question");
        for (const kind of order) {
          const answered = {
            ...gateway,
            status: async () => ({ answer: ANSWERS[kind](codes[at] ?? ""), evidence: EVIDENCE }),
          };
          await queryStatus(question, { ...world.deps, gateway: answered });
        }
      }),
    );
    expect(new Set(await states())).toEqual(new Set(["settled"]));
    expect((await events()).filter((event) => event === "settle")).toHaveLength(orders.length);
  });
});

const completed = (code: string, change: Partial<StatusRecord> = {}) => ({
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

const ANSWERS = {
  pending: (code: string) => completed(code, { state: "pending" }),
  completed,
  not_found: () => ({ kind: "not_found" as const, text: "" }),
  no_answer: () => ({ kind: "no_answer" as const, code: "timeout", text: "" }),
};

const EVIDENCE = { httpStatus: 200, code: null, text: "", elapsedMs: 1, dateOffsetMs: null };

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );
