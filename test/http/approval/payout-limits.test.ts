import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Batch } from "#ledger/ledger.ts";
import { approveAt } from "../../support/dashboard/acknowledge.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { sendForApproval, ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { peopleOf } from "../../support/actions/people.ts";
import { query } from "../../support/servers/postgres.ts";

let server: TestServer;
let admin: Caller;
let maker: Caller;
let checkers: readonly Caller[];
beforeAll(async () => {
  server = await startTestServer();
  const { steppedUp } = peopleOf(() => server, server.deps.clock);
  admin = await steppedUp(server.as("admin"));
  maker = await server.newUser(["uploader"], "Mira Maker");
  checkers = [
    await steppedUp(await server.newUser(["approver"], "Chen Checker")),
    await steppedUp(await server.newUser(["approver"], "Dana Checker")),
  ];
});
afterAll(() => server.close());

const limit = (scope: string, amount: string, hard = true) => ({
  scope,
  currency: "INR",
  amount,
  hard,
});
const set = (limits: readonly object[], change: object = {}) =>
  admin.send("PUT", "/api/payout-limits", {
    body: { zone: "Asia/Kolkata", when_short: "warn", limits, ...change },
  });
async function upload(): Promise<Batch> {
  const { ledger, database } = server.deps;
  const { batch } = await ingestFile(ledger, fileText(rowsOf(3)), `user:${maker.userId}`);
  await sendForApproval(database, batch);
  return batch;
}
const approve = (by: Caller | undefined, { id, contentDigest }: Batch) =>
  by &&
  approveAt(by, `/api/batches/${id}`, {
    content_digest: contentDigest,
    totals: [{ currency: "INR", amount: "300.00" }],
  });

test("refuses a limit that could never be reached as intended, whoever proposes it", async () => {
  const wrong = [
    { ...limit("batch", "10"), currency: "XXX" },
    { ...limit("batch", "5.001"), currency: "KRW" },
    { ...limit("batch", "5.000"), currency: "KRW", hard: false },
    limit("day", "5.001"),
  ];
  const change = { kind: "payout_limits", zone: "UTC", when_short: "warn", limits: wrong };
  for (const answer of [await set(wrong), await admin.post("/api/pending-changes", change)]) {
    expect([answer.status, answer.json.places]).toEqual([
      400,
      [
        {
          place: "body.limits.0.currency",
          message: expect.stringMatching(/^a configured currency: .*INR/),
        },
        { place: "body.limits.1.amount", message: "KRW in no decimals" },
        { place: "body.limits.3.amount", message: "INR in at most 2 decimals" },
      ],
    ]);
  }
});

test("keeps an existing limit in a currency that is no longer configured", async () => {
  await sql`insert into payout_limits (scope, currency, amount, hard)
    values ('day', 'DOGE', '5.5', true)`.execute(server.deps.database);
  const old = { ...limit("day", "5.5"), currency: "DOGE" };
  expect((await set([old, limit("day", "100000")])).status).toBe(200);
  expect((await set([{ ...old, amount: "6" }])).status).toBe(400);
  expect((await set([])).status).toBe(200);
});

test("shows a hard limit before the approval, and refuses the approval", async () => {
  expect((await set([limit("batch", "299.99")])).status).toBe(200);
  const batch = await upload();
  const says =
    "INR limit for all payouts of one batch: 299.99 allowed, 300.00 found; exceeded by 0.01 (hard limit).";
  expect((await maker.get(`/api/batches/${batch.id}/limits`)).json).toMatchObject({
    refused: true,
    exceeded: [{ scope: "batch", says, over: { currency: "INR", amount: "0.01" } }],
  });
  const refused = await approve(checkers[0], batch);
  expect([refused?.status, refused?.json.code]).toEqual([409, "limit_reached"]);
  expect(refused?.json.detail).toBe(
    `${says} Leave some rows out. Alternatively, ask an admin to raise the limit.`,
  );
  const { json } = await maker.get(`/api/batches/${batch.id}/approval`);
  expect(json.policy.approvals).toEqual([]);
});

test("requires one more approver for a soft limit", async () => {
  await set([limit("batch", "100", false)]);
  const batch = await upload();
  expect((await maker.get(`/api/batches/${batch.id}/limits`)).json).toMatchObject({
    refused: false,
    extra_people: 1,
  });
  expect((await approve(checkers[0], batch))?.json).toEqual({
    state: "awaiting_approval",
    missing: 1,
  });
  const waiting = (await checkers[1]?.get("/api/approvals"))?.json.items;
  expect(waiting).toContainEqual(
    expect.objectContaining({ batch_id: batch.id, missing: 1, given: 1 }),
  );
  expect((await approve(checkers[1], batch))?.json).toEqual({ state: "approved", missing: 0 });
});

test("shows the current headroom, and an uploader's limit only to that uploader", async () => {
  const headroom = async (by: Caller) => {
    const { items } = (await by.get("/api/payout-limits/headroom")).json;
    return items.map((each: { used: { amount: string } | null; left: { amount: string } }) => [
      each.used?.amount,
      each.left.amount,
    ]);
  };
  await set([limit("day", "1000"), limit("uploader_day", "250"), limit("row", "50.5")]);
  // The batch of the previous test counts, for the day and for its maker.
  expect(await headroom(maker)).toEqual([
    ["300.00", "700.00"],
    [undefined, "50.50"],
    ["300.00", "0.00"],
  ]);
  expect(await headroom(admin)).toEqual([
    ["300.00", "700.00"],
    [undefined, "50.50"],
    ["0.00", "250.00"],
  ]);
});

describe("the balance", () => {
  let asked = 0;
  const tell = (available: string | null) => {
    const answer = available
      ? { kind: "told", balance: { currency: "INR", balance: "9000.00", frozen: "0", available } }
      : { kind: "no_answer", code: "timeout", text: "no response (timeout)" };
    const balance = async () => {
      asked += 1;
      return { answer };
    };
    Object.assign(server.deps.deposits, { gateway: { balance } });
  };
  const fundsOf = async ({ id }: Batch) =>
    (await maker.get(`/api/batches/${id}/limits`)).json.funds[0];

  test("is unknown until the gateway reports it, and queried at most once a minute", async () => {
    await set([]);
    await query(server.deps.config.DATABASE_URL ?? "", "delete from payrun.lane_balances");
    const batch = await upload();
    tell(null);
    expect(await fundsOf(batch)).toMatchObject({
      state: "unknown",
      balance: null,
      free: null,
      says: expect.stringContaining("is unknown: no response (timeout)"),
    });
    tell("700.00");
    await fundsOf(batch);
    await maker.get("/api/payout-limits/headroom");
    expect(asked).toBe(1);
    await forgetAsking();
    // The batch of the earlier tests is approved and was not sent.
    expect(await fundsOf(batch)).toMatchObject({
      state: "enough",
      balance: { amount: "700.00" },
      reserved: { amount: "300.00" },
      free: { amount: "400.00" },
    });
    expect((await maker.get("/api/payout-limits/headroom")).json.lanes).toMatchObject([
      { free: { amount: "400.00" } },
    ]);
    expect(asked).toBe(2);
  });

  test("warns when it does not cover a batch, or refuses where that is configured", async () => {
    const batch = await upload();
    await forgetAsking();
    tell("599.99");
    expect(await fundsOf(batch)).toMatchObject({
      state: "short",
      says: expect.stringContaining("is too low: 299.99 is available, but 0.01 more is needed."),
    });
    await set([], { when_short: "refuse" });
    const refused = await approve(checkers[0], batch);
    expect([refused?.status, refused?.json.code]).toEqual([409, "limit_reached"]);
    expect(refused?.json.detail).toContain("0.01 more is needed");
    await forgetAsking();
    tell("600.00");
    expect((await approve(checkers[0], batch))?.json).toEqual({ state: "approved", missing: 0 });
    await set([]);
  });

  const forgetAsking = () =>
    sql`update lane_balances set queried_at = to_timestamp(0)`.execute(server.deps.database);
});

test.each([
  ["an offset instead of a zone", { zone: "+05:30" }],
  ["an unknown zone", { zone: "Mars/Olympus" }],
  ["a repeated limit", { limits: [limit("day", "1"), limit("day", "2")] }],
  ["no amount", { limits: [limit("day", "-1")] }],
])("refuses %s", async (_what, change) => {
  expect((await set([], change)).status).toBe(400);
});

test("requires the agreement of another admin, who sees the change", async () => {
  const { steppedUp } = peopleOf(() => server, server.deps.clock);
  const second = await steppedUp(await server.newUser(["admin"]));
  const { database } = server.deps;
  await database
    .updateTable("users")
    .set({ password: "x" })
    .where("id", "=", second.userId)
    .execute();
  const terms = { zone: "UTC", when_short: "refuse", limits: [limit("day", "5", false)] };
  expect((await set(terms.limits, terms)).json.code).toBe("second_admin_needed");
  const { id } = (await admin.post("/api/pending-changes", { kind: "payout_limits", ...terms }))
    .json;
  const [waiting] = (await second.get("/api/pending-changes")).json.items;
  expect(waiting.says).toEqual([
    "5 INR for all payouts approved in one day: a higher amount needs one more approver",
    "Days start at midnight in the UTC time zone",
    "A batch can be approved only if the known balance covers it",
  ]);
  expect((await second.post(`/api/pending-changes/${id}/confirm`)).status).toBe(200);
  expect((await admin.get("/api/payout-limits")).json).toEqual(terms);
});
