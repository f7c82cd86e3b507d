import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { LimitScope, PayoutLimit } from "#approval/payout-limits.ts";
import { describeLimitBreach } from "#approval/payout-limits.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { recordApproval } from "#ledger/approval/approvals.ts";
import { findBatchLimitBreaches, usedAmount } from "#ledger/approval/limit-use.ts";
import type { Batch } from "#ledger/ledger.ts";
import { readPayoutLimits, writePayoutLimits } from "#ledger/approval/payout-limits.ts";
import { ok } from "#base/result.ts";
import {
  sendForApproval,
  openTestLedger,
  ingestFile,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, rowsOf, type TestRow } from "../../support/servers/payrun.ts";
import { force } from "../../support/servers/postgres.ts";

let lone: TestLedger;
beforeAll(async () => {
  lone = await openTestLedger();
});
afterAll(() => lone.close());

// Each test starts with a ledger of the next day: approvals of other tests do not count.
let day = 0;
const NOON_MS = Date.UTC(2030, 0, 1, 12);
const HOUR_MS = 3_600_000;
let at = new Date(NOON_MS);
beforeEach(() => {
  day += 30;
  at = new Date(NOON_MS + day * 24 * HOUR_MS);
});

const INR = (scope: LimitScope, amount: string, hard = true): PayoutLimit => ({
  scope,
  currency: "INR",
  amount,
  hard,
});
const set = (limits: readonly PayoutLimit[], zone = "UTC") =>
  lone.database
    .transaction()
    .execute((each) =>
      writePayoutLimits(each, { zone, when_short: "warn", limits }, { actor: "cli:test", at }),
    );
const upload = async (rows: readonly TestRow[], maker = `cli:maker-${day}`): Promise<Batch> =>
  (await ingestFile(lone.ledger, fileText(rows), maker)).batch;
const pay = (amount: string, count = 1) => rowsOf(count, () => ({ amount }));
const approveAlone = async (batch: Batch, leaveOut = false) => {
  const { contentDigest } = batch;
  const approval = { actor: "cli:checker", contentDigest, totals: totalsOf(batch) };
  const approved = await approve(batch.id, approval, { ...lone, leaveOut });
  // The clock of approvals is the ledger's; the test's day is different.
  await sql`update batches set approved_at = ${at} where id = ${batch.id} and approved_at is not null`.execute(
    lone.database,
  );
  return approved.ok ? "approved" : approved.error.kind;
};
const breaches = async ({ id }: Batch, when = at) =>
  (await findBatchLimitBreaches(lone.database, id, when)).map(describeLimitBreach);

describe("each limit", () => {
  test("of a payout checks the largest, and names its lines", async () => {
    await set([INR("row", "100")]);
    expect(await breaches(await upload(pay("100.00", 3)))).toEqual([]);
    const amounts = ["1", "100.01", "5", "300"];
    expect(
      await breaches(await upload(rowsOf(4, (row) => ({ amount: amounts[row] ?? "" })))),
    ).toEqual([
      "INR limit for one payout (lines 5, 3): 100.00 allowed, 300.00 found; exceeded by 200.00 (hard limit).",
    ]);
  });

  test("of a batch checks its total in its own currency only", async () => {
    await set([INR("batch", "200.00"), { ...INR("batch", "1"), currency: "THB" }]);
    expect(await breaches(await upload(pay("100.00", 2)))).toEqual([]);
    expect(await breaches(await upload(pay("100.01", 2)))).toHaveLength(1);
  });

  test("of a day counts payouts approved on it that may have been paid", async () => {
    await set([INR("day", "300")]);
    const first = await upload(pay("100.00", 2));
    expect(await approveAlone(first)).toBe("approved");
    expect(await breaches(await upload(pay("100.00")))).toEqual([]);
    const next = await upload(pay("100.01"));
    expect(await breaches(next)).toEqual([
      "INR limit for all payouts approved in one day: 300.00 allowed, 300.01 found, of which 200.00 was already approved; exceeded by 0.01 (hard limit).",
    ]);
    // Returned payouts count, conclusively unpaid ones do not.
    const says = async (state: string) => {
      await force(lone.url, "update payouts set state = $1 where batch_id = $2", [state, first.id]);
      return (await breaches(next)).length;
    };
    const counted = [
      "approved",
      "submitting",
      "in_doubt",
      "accepted",
      "settled",
      "on_hold",
      "returned",
    ];
    for (const state of counted) expect([state, await says(state)]).toEqual([state, 1]);
    for (const state of ["declined", "cancelled"])
      expect([state, await says(state)]).toEqual([state, 0]);
  });

  test("of a day begins and ends in the configured zone", async () => {
    const late = new Date(at.getTime() + 7 * HOUR_MS); // 19:00 UTC: half past midnight in Kolkata
    const limit = [INR("day", "150")];
    await set(limit);
    expect(await approveAlone(await upload(pay("100.00")))).toBe("approved");
    const next = await upload(pay("100.00"));
    expect(await breaches(next, late)).toHaveLength(1);
    await set(limit, "Asia/Kolkata");
    expect(await breaches(next, late)).toHaveLength(0);
    expect(await breaches(next, at)).toHaveLength(1);
  });

  test("of a day counts a batch on its send date", async () => {
    await set([INR("day", "150")]);
    const tomorrow = new Date(at.getTime() + 24 * HOUR_MS);
    const first = await upload(pay("100.00"));
    expect(await approveAlone(first)).toBe("approved");
    await sql`insert into send_times (batch_id, send_at, local, zone, expires_hours, set_by)
      values (${first.id}, ${tomorrow}, '', 'UTC', 24, 'test')`.execute(lone.database);
    const next = await upload(pay("100.00"));
    expect(await breaches(next)).toHaveLength(0);
    expect(await breaches(next, tomorrow)).toHaveLength(1);
    const sent = (send: Date | null) => findBatchLimitBreaches(lone.database, next.id, at, send);
    expect(await sent(tomorrow)).toHaveLength(1);
    expect(await sent(null)).toHaveLength(0);
  });

  test("of a day counts a batch approved after its send time on its approval date", async () => {
    await set([INR("day", "150")]);
    const first = await upload(pay("100.00"));
    expect(await approveAlone(first)).toBe("approved");
    const yesterday = new Date(at.getTime() - 24 * HOUR_MS);
    await sql`insert into send_times (batch_id, send_at, local, zone, expires_hours, set_by)
      values (${first.id}, ${yesterday}, '', 'UTC', 48, 'test')`.execute(lone.database);
    expect(await breaches(await upload(pay("100.00")))).toHaveLength(1);
  });

  test("of an uploader counts their uploads, including those of their keys", async () => {
    await sql`insert into users (id, email, name, roles) values (${`UL${day}`}, ${`UL${day}`}, 'Una', '{uploader}')`.execute(
      lone.database,
    );
    await sql`
      insert into api_keys (id, digest, name, shown, scopes, created_by, expires_at, created_at)
      values ('AK1', 'x', 'program', 'x', '{}', ${`UL${day}`}, now() + interval '1 day', now())`.execute(
      lone.database,
    );
    await set([INR("uploader_day", "150")]);
    const first = await upload(pay("100.00"), "key:AK1");
    await force(lone.url, "update batches set state = 'approved', approved_at = $1 where id = $2", [
      at,
      first.id,
    ]);
    await force(lone.url, "update payouts set state = 'approved' where batch_id = $1", [first.id]);
    expect(await breaches(await upload(pay("100.00"), `user:UL${day}`))).toHaveLength(1);
    expect(await breaches(await upload(pay("100.00"), "user:somebody"))).toHaveLength(0);
  });

  test("of an account finds it in other batches by its digest and by days", async () => {
    await set([INR("beneficiary_day", "150"), INR("beneficiary_week", "250", false)]);
    const to = (account: string, amount: string) => [{ amount, account }];
    const first = await upload(to("123456789", "100.00"));
    expect(await approveAlone(first)).toBe("approved");
    expect(await breaches(await upload(to("987654321", "100.00")))).toEqual([]);
    const again = await upload([...to("987654321", "1.00"), ...to("123456789", "60.00")]);
    expect(await breaches(again)).toEqual([
      "INR limit for one account in one day (line 3): 150.00 allowed, 160.00 found, of which 100.00 was already approved; exceeded by 10.00 (hard limit).",
    ]);
    // The result is the same for a batch that is small compared with the days examined.
    const { database } = lone;
    await sql`update batches set rows = rows + 1000 where id = ${first.id}`.execute(database);
    expect(await breaches(again)).toHaveLength(1);
    const daysLater = (days: number) => new Date(at.getTime() + days * 24 * HOUR_MS);
    const more = await upload(to("123456789", "151.00"));
    expect(await breaches(more, daysLater(6))).toHaveLength(2);
    expect(await breaches(more, daysLater(7))).toHaveLength(1);
    const twice = await upload([...to("55555555", "80.00"), ...to("55555555", "80.00")]);
    expect(await breaches(twice)).toHaveLength(1);
  });
});

describe("at approval", () => {
  test("refuses above a hard limit, without a trace of the approval", async () => {
    await set([INR("batch", "100")]);
    const batch = await upload(pay("100.01"));
    expect(await approveAlone(batch)).toBe("limit_reached");
    expect((await lone.ledger.payout.findBatch({ id: batch.id }))?.state).toBe("awaiting_approval");
    await set([]);
    expect(await approveAlone(batch)).toBe("approved");
  });

  test("keeps the rejected rows of a batch that it refuses", async () => {
    await set([INR("batch", "100")]);
    const batch = await upload([...pay("100.01"), ...rowsOf(1, () => ({ amount: "none" }))]);
    expect(await approveAlone(batch, true)).toBe("limit_reached");
    expect((await lone.ledger.payout.findBatch({ id: batch.id }))?.state).toBe("needs_correction");
    await set([]);
    expect(await approveAlone(batch, true)).toBe("approved");
  });

  test("requires a second approver above a soft limit", async () => {
    await set([INR("batch", "100", false)]);
    const batch = await upload(pay("100.01"));
    expect(await approveAlone(batch)).toBe("more_people");
    const { contentDigest } = batch;
    const approval = { actor: "cli:checker", contentDigest, totals: totalsOf(batch) };
    expect(await approve(batch.id, approval, lone)).toMatchObject({
      error: { people: 2, why: expect.stringMatching(/exceeded by 0\.01 \(soft limit\)$/) },
    });
    expect((await lone.ledger.payout.findBatch({ id: batch.id }))?.state).toBe("awaiting_approval");
  });

  /** Over the limit by a hundredth, and sent for approval by two people. */
  const forTwo = async (isHard: boolean) => {
    const { database } = lone;
    await sql`insert into users (id, email, name, roles)
      values ('C1', 'c1', 'Chen', '{approver}'), ('C2', 'c2', 'Dana', '{approver}')
      on conflict do nothing`.execute(database);
    await set([INR("batch", "100", isHard)]);
    const batch = await upload(pay("100.01"));
    await sql`update batches set people_needed = 2 where id = ${batch.id}`.execute(database);
    await sendForApproval(database, batch);
    const { id: batchId, contentDigest } = batch;
    const approval = { batchId, contentDigest, totals: {}, at, hours: 24 * 365 * 20 };
    const say = (userId: string) => recordApproval(database, { ...approval, userId });
    return { batch, say };
  };

  test("refuses above a hard limit, however many people agree", async () => {
    const { batch, say } = await forTwo(true);
    for (const person of ["C1", "C2"])
      expect(await say(person)).toMatchObject({ ok: false, error: { kind: "limit_reached" } });
    expect((await lone.ledger.payout.findBatch({ id: batch.id }))?.state).toBe("awaiting_approval");
  });

  test("requires one more approver above a soft limit, whatever the pages say", async () => {
    const { batch, say } = await forTwo(false);
    const { database } = lone;
    expect(await say("C1")).toEqual(ok({ missing: 1 }));
    // Neither a flow nor a script bypasses the missing approver.
    await expect(
      sql`update batches set state = 'approved' where id = ${batch.id}`.execute(database),
    ).rejects.toThrow("has 1 of 2 approvals");
    expect(await say("C2")).toEqual(ok({ missing: 0 }));
    expect((await lone.ledger.payout.findBatch({ id: batch.id }))?.state).toBe("approved");
  });

  test("prevents two concurrent approvals from exceeding a limit together", async () => {
    await set([INR("day", "150")]);
    at = new Date();
    const batches = await Promise.all([1, 2, 3, 4].map(() => upload(pay("100.00"))));
    const ended = await Promise.all(batches.map((batch) => approveAlone(batch)));
    expect(ended.toSorted()).toEqual([
      "approved",
      "limit_reached",
      "limit_reached",
      "limit_reached",
    ]);
    const use = {
      scope: "day",
      currency: "INR",
      minorDigits: 2,
      zone: "UTC",
      person: null,
    } as const;
    expect(await usedAmount(lone.database, { ...use, at })).toBe(10_000n);
  });
});

test("replaces limits as a whole with an audit line, and changes nothing for an unknown zone", async () => {
  await set([INR("day", "300"), INR("day", "200", false)], "Asia/Kolkata");
  const terms = await readPayoutLimits(lone.database);
  expect(terms).toEqual({
    zone: "Asia/Kolkata",
    when_short: "warn",
    limits: [INR("day", "200", false), INR("day", "300")],
  });
  await expect(set([], "Mars/Olympus")).rejects.toThrow("not recognized");
  expect(await readPayoutLimits(lone.database)).toEqual(terms);
  const [line] = (
    await sql<{ facts: string }>`
      select facts from audit where action = 'payout_limits' order by seq desc limit 1`.execute(
      lone.database,
    )
  ).rows;
  expect(JSON.parse(line?.facts ?? "")).toMatchObject({ after: { zone: "Asia/Kolkata" } });
});
