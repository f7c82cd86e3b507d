import { afterAll, beforeAll, expect, test } from "vitest";
import type { Batch } from "#ledger/ledger.ts";
import { type Caller, startDesk, type TestDesk } from "../support/desk.ts";
import { handIn, takeIn } from "../support/ledger.ts";
import { fileText, rowsOf } from "../support/payrun.ts";
import { peopleOf } from "../support/people.ts";

let desk: TestDesk;
let admin: Caller;
let maker: Caller;
let checkers: readonly Caller[];
beforeAll(async () => {
  desk = await startDesk();
  const { steppedUp } = peopleOf(() => desk, desk.desk.clock);
  admin = await steppedUp(desk.as("admin"));
  maker = await desk.newUser(["uploader"], "Mira Maker");
  checkers = [
    await steppedUp(await desk.newUser(["approver"], "Chen Checker")),
    await steppedUp(await desk.newUser(["approver"], "Dana Checker")),
  ];
});
afterAll(() => desk.close());

const limit = (scope: string, amount: string, hard = true) => ({
  scope,
  currency: "INR",
  amount,
  hard,
});
const set = (limits: readonly object[], change: object = {}) =>
  admin.send("PUT", "/api/money-limits", {
    body: { zone: "Asia/Kolkata", when_short: "warn", limits, ...change },
  });
async function bring(): Promise<Batch> {
  const { ledger, database } = desk.desk;
  const { batch } = await takeIn(ledger, fileText(rowsOf(3)), `user:${maker.userId}`);
  await handIn(database, batch);
  return batch;
}
const approve = (by: Caller | undefined, { id, contentDigest }: Batch) =>
  by?.post(`/api/batches/${id}/approve`, {
    content_digest: contentDigest,
    totals: [{ currency: "INR", amount: "300.00" }],
  });

test("a hard limit is told before the approval, and refuses it", async () => {
  expect((await set([limit("batch", "299.99")])).status).toBe(200);
  const batch = await bring();
  const says =
    "INR limit of all payouts of the batch: 299.99 allowed, 300.00 found; 0.01 too much (hard limit).";
  expect((await maker.get(`/api/batches/${batch.id}/limits`)).json).toMatchObject({
    refused: true,
    passed: [{ scope: "batch", says, over: { currency: "INR", amount: "0.01" } }],
  });
  const refused = await approve(checkers[0], batch);
  expect([refused?.status, refused?.json.code]).toEqual([409, "limit_reached"]);
  expect(refused?.json.detail).toBe(`${says} Leave rows out. Or an admin raises the limit.`);
  const { json } = await maker.get(`/api/batches/${batch.id}/approval`);
  expect(json.policy.approvals).toEqual([]);
});

test("a soft limit takes one more approver than otherwise", async () => {
  await set([limit("batch", "100", false)]);
  const batch = await bring();
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

test("headroom is what is left now; of an uploader's limit, for whoever asks", async () => {
  const headroom = async (by: Caller) => {
    const { items } = (await by.get("/api/money-limits/headroom")).json;
    return items.map((each: { used: { amount: string } | null; left: { amount: string } }) => [
      each.used?.amount,
      each.left.amount,
    ]);
  };
  await set([limit("day", "1000"), limit("uploader_day", "250"), limit("row", "50.5")]);
  // The batch of the test before counts: of the day, and of its maker.
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

test.each([
  ["an offset for a zone", { zone: "+05:30" }],
  ["a zone that nobody knows", { zone: "Mars/Olympus" }],
  ["a limit twice", { limits: [limit("day", "1"), limit("day", "2")] }],
  ["no amount", { limits: [limit("day", "-1")] }],
])("%s is refused", async (_what, change) => {
  expect((await set([], change)).status).toBe(400);
});

test("another admin has to agree, and sees what to", async () => {
  const { steppedUp } = peopleOf(() => desk, desk.desk.clock);
  const second = await steppedUp(await desk.newUser(["admin"]));
  const { database } = desk.desk;
  await database
    .updateTable("users")
    .set({ password: "x" })
    .where("id", "=", second.userId)
    .execute();
  const terms = { zone: "UTC", when_short: "refuse", limits: [limit("day", "5", false)] };
  expect((await set(terms.limits, terms)).json.code).toBe("second_admin_needed");
  const { id } = (await admin.post("/api/pending-changes", { kind: "money_limits", ...terms }))
    .json;
  const [waiting] = (await second.get("/api/pending-changes")).json.items;
  expect(waiting.says).toEqual([
    "5 INR for everything approved that day: more takes one more person",
    "A day begins at midnight in UTC",
    "Nothing is approved that the balance is not known to cover",
  ]);
  expect((await second.post(`/api/pending-changes/${id}/confirm`)).status).toBe(200);
  expect((await admin.get("/api/money-limits")).json).toEqual(terms);
});
