/** A batch at its send time: checked again, then released or held back. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_ROW_SETTINGS, type RowSettings } from "#intake/row-settings.ts";
import { systemClock } from "#base/clock.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { recheckBatch } from "#flows/approval/recheck-batch.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import { releaseDue } from "#flows/payout/release.ts";
import { RequestSlots } from "#flows/request-slots.ts";
import type { BalanceReply } from "#gateway/deposit-client.ts";
import { makeKeyring } from "#gateway/wire/keyring.ts";
import { findSendTimes } from "#ledger/schedule/send-times.ts";
import { writePayoutLimits } from "#ledger/approval/payout-limits.ts";
import { createLog } from "#base/log.ts";
import { openScene, type Scene } from "../../support/actions/scene.ts";
import { eventually } from "../../support/servers/eventually.ts";
import {
  claimOf,
  openTestLedger,
  ingestFile,
  TEST_KEYRING,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let place: TestLedger;
beforeAll(async () => {
  place = await openTestLedger();
});
afterAll(() => place.close());

/** Approved for a time that has come. */
async function due(): Promise<string> {
  const { ledger } = place;
  const { batch } = await ingestFile(ledger, fileText(rowsOf(3)));
  const at = new Date(systemClock.nowMs() - 1_000);
  const send = { local: "2026-01-30T09:00", zone: "Asia/Kolkata", at, expiresHours: 24 };
  const word = { actor: "checker", contentDigest: batch.contentDigest, totals: totalsOf(batch) };
  await approve(batch.id, word, { ledger, send });
  return batch.id;
}

async function release({ rows = DEFAULT_ROW_SETTINGS, keyring = TEST_KEYRING } = {}) {
  const { ledger } = place;
  const log = createLog("silent");
  const balance = { currency: "INR", balance: "299.99", frozen: null, available: null };
  const answer = { kind: "told", balance } as const;
  const evidence = {} as BalanceReply["evidence"];
  const gateway = { balance: async () => ({ answer, evidence }) };
  const world = { ledger, rows, keyring, log, gateway, clock: systemClock };
  const deps = { ...world, slots: new RequestSlots(1) };
  const again = (batchId: string) => recheckBatch(batchId, deps);
  await releaseDue({ ledger, log, recheckBatch: again, checking: new Set() });
}
const limitTo = (amount: string | null, when_short: "warn" | "refuse" = "warn") => {
  const limit = { scope: "day", currency: "INR", hard: true } as const;
  const terms = { zone: "UTC", when_short, limits: amount === null ? [] : [{ ...limit, amount }] };
  const by = { actor: "cli:test", at: new Date() };
  return place.database.transaction().execute((each) => writePayoutLimits(each, terms, by));
};
const stuckOf = async (id: string) => (await findSendTimes(place.database, [id])).get(id)?.heldBack;

test("releases a due batch when its rows still pass", async () => {
  const id = await due();
  await release();
  expect(await stuckOf(id)).toBeNull();
  expect(await place.ledger.payout.openAttempts(claimOf(id))).toHaveLength(3);
});

test("F69 holds a batch back when it now exceeds a limit, or lacks required funds", async () => {
  const limited = await due();
  await limitTo("0.5");
  await release();
  expect(await stuckOf(limited)).toMatch(/all payouts approved in one day: 0.50 allowed/);
  await limitTo(null);
  const uncovered = await due();
  await limitTo(null, "refuse");
  await release();
  expect(await stuckOf(uncovered)).toMatch(/INR is too low: .* more is needed/);
  await limitTo(null);
});

test("F69 holds a batch back with the reason, unsent, when its rows no longer pass", async () => {
  const id = await due();
  const rows: RowSettings = { ...DEFAULT_ROW_SETTINGS, amountLimits: new Map([["INR", 5_000n]]) };
  await release({ rows });
  expect(await stuckOf(id)).toMatch(
    /^3 rows no longer pass the checks\. First problem: transaction_amount: /,
  );
  expect(await place.ledger.payout.openAttempts(claimOf(id))).toEqual([]);
});

test("holds a batch back when its merchant is no longer configured", async () => {
  const id = await due();
  const others = TEST_KEYRING.all.filter(({ currencies }) => !currencies.includes("INR"));
  await release({ keyring: makeKeyring(others) });
  expect(await stuckOf(id)).toMatch(/^No merchant is configured for \S+\/INR\./);
});

test("does not wait for another batch whose check fails", async () => {
  const [broken, fine] = [await due(), await due()];
  const { ledger } = place;
  const brokenFirst = async (batchId: string): Promise<string[]> => {
    if (batchId === broken) throw new Error("the database is away");
    return [];
  };
  const log = createLog("silent");
  await releaseDue({ ledger, log, recheckBatch: brokenFirst, checking: new Set() });
  const now = await findSendTimes(place.database, [broken, fine]);
  expect([now.get(broken)?.releasedAt, now.get(fine)?.releasedAt]).toEqual([
    null,
    expect.any(Date),
  ]);
});

test("does not wait for another batch with a slow check, and the slow check is not started again", async () => {
  const [large, small] = [await due(), await due()];
  const { ledger } = place;
  const checked: string[] = [];
  const whole = Promise.withResolvers<string[]>();
  const slowly = (batchId: string): Promise<string[]> => {
    const takesLong = batchId === large && !checked.includes(large);
    checked.push(batchId);
    return takesLong ? whole.promise : Promise.resolve([]);
  };
  const deps = {
    ledger,
    log: createLog("silent"),
    recheckBatch: slowly,
    checking: new Set<string>(),
  };
  const first = releaseDue(deps);
  await eventually("the large one is checked", () => checked.includes(large));
  await releaseDue(deps);
  expect(checked.filter((id) => id === large)).toEqual([large]);
  expect((await findSendTimes(place.database, [small])).get(small)?.releasedAt).not.toBeNull();
  whole.resolve([]);
  await first;
  expect((await findSendTimes(place.database, [large])).get(large)?.releasedAt).not.toBeNull();
});

test("accepts one send time from two approvers, refuses another, and reports neither twice", async () => {
  const scene: Scene = await openScene();
  const { ledger, database } = scene.server.deps;
  const batch = await scene.waiting(3);
  const second = await scene.newcomer("approver");
  const send = {
    local: "2099-12-31T09:00",
    zone: "Asia/Kolkata",
    at: new Date("2099-12-31T03:30:00Z"),
    expiresHours: 24,
  };
  const word = {
    batchId: batch.id,
    contentDigest: batch.contentDigest,
    totals: totalsOf(batch),
    send,
  };
  const deps = { ledger, database, clock: systemClock };
  expect(await approveAs({ ...word, userId: scene.checker.userId }, deps)).toMatchObject({
    value: { missing: 1 },
  });
  const other = await approveAs({ ...word, userId: second.userId, send: null }, deps);
  expect(other).toEqual({
    ok: false,
    error: { kind: "send_time_differs", why: expect.any(String) },
  });
  expect(await approveAs({ ...word, userId: second.userId }, deps)).toMatchObject({
    value: { missing: 0 },
  });
  expect(await ledger.payout.workingBatches()).toEqual([]);
  const lines = await database
    .selectFrom("audit")
    .select("facts")
    .where("action", "=", "approve")
    .execute();
  expect(JSON.parse(lines[0]?.facts ?? "{}")).toMatchObject({
    send_at: "2099-12-31 09:00 Asia/Kolkata",
  });
  await scene.server.close();
});
