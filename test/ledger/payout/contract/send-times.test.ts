import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import type { DueSendTime } from "#schedule/release.ts";
import { claimOf, ingestFile } from "../../../support/ledger.ts";
import { ledgerSteps, MINUTE_MS } from "../../../support/ledger-steps.ts";
import { fileText, rowsOf } from "../../../support/servers/payrun.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

/** Guarantees of a send time, in the product's ledger and in the simulation's in-memory ledger. */
describe.each(LEDGERS)("a batch that waits for its send time, in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { claim, move, onlyClaim, states } = ledgerSteps(() => subject);

  const timeIn = (minutes: number) => ({
    local: "2026-12-31T09:00",
    zone: "Asia/Kolkata",
    at: new Date(systemClock.nowMs() + minutes * MINUTE_MS),
    expiresHours: 24,
  });
  /** Approved to be sent in an hour. */
  async function timed(planned = timeIn(60)): Promise<string> {
    const { ledger } = subject;
    const { batch } = await ingestFile(ledger, fileText(rowsOf(2)));
    const word = {
      actor: "checker",
      contentDigest: batch.contentDigest,
      totals: totalsOf(batch),
    };
    await approve(batch.id, word, { ledger, send: planned });
    return batch.id;
  }
  async function due(): Promise<DueSendTime> {
    const [only] = await subject.ledger.schedule.dueSendTimes();
    if (!only) throw new Error("no payout is due");
    return only;
  }
  const settle = async (heldBack: string | null, found?: DueSendTime) => {
    const { batchId, at: sendAt } = found ?? (await due());
    return subject.ledger.schedule.releaseOrHoldBack({ batchId, sendAt, heldBack });
  };
  const change = (batchId: string, minutes: number | "now") =>
    subject.ledger.schedule.reschedule({
      batchId,
      to: minutes === "now" ? minutes : timeIn(minutes),
      reason: "asked to",
      actor: "user:ops",
    });

  test("creates no work before its time, nor after it before its release", async () => {
    const id = await timed();
    expect(await subject.ledger.payout.workingBatches()).toEqual([]);
    expect([await claim(id), await subject.ledger.schedule.dueSendTimes()]).toEqual([[], []]);
    await subject.pass(61 * MINUTE_MS);
    expect(await claim(id)).toEqual([]);
    expect(await settle(null)).toBe(true);
    expect(await subject.ledger.payout.workingBatches()).toMatchObject([{ id, paused: false }]);
    expect(await claim(id)).toHaveLength(2);
  });

  test("is released once, and not for a time that was changed meanwhile", async () => {
    const id = await timed();
    await subject.pass(61 * MINUTE_MS);
    const found = await due();
    expect(await change(id, 90)).toBe(true);
    expect(await settle(null, found)).toBe(false);
    expect(await claim(id)).toEqual([]);
    await subject.pass(91 * MINUTE_MS);
    const again = await due();
    expect([await settle(null, again), await settle(null, again)]).toEqual([true, false]);
    expect(await change(id, 30)).toBe(false);
    expect(await change(id, "now")).toBe(false);
  });

  test("stays held back, is not rescheduled, and is sent when a person sends it now", async () => {
    const id = await timed();
    await subject.pass(61 * MINUTE_MS);
    expect(await settle("a bank is gone")).toBe(true);
    expect([await subject.ledger.schedule.dueSendTimes(), await claim(id)]).toEqual([[], []]);
    expect(await change(id, 30)).toBe(false);
    expect(await change(id, "now")).toBe(true);
    expect(await claim(id)).toEqual([]);
    await settle(null);
    expect(await claim(id)).toHaveLength(2);
    expect((await subject.audit()).slice(-3).map(({ action }) => action)).toEqual([
      "hold_back",
      "send_now",
      "release",
    ]);
  });

  test("is sent before its time when an approver says so", async () => {
    const id = await timed();
    expect(await change(id, "now")).toBe(true);
    expect(await due()).toMatchObject({ batchId: id, expiresHours: 24 });
    await settle(null);
    expect(await claim(id)).toHaveLength(2);
  });

  test("is rescheduled only to a later time, and its approval does not count after it", async () => {
    const planned = timeIn(60);
    const id = await timed(planned);
    const putOff = (to: typeof planned) =>
      subject.ledger.schedule.reschedule({
        batchId: id,
        to,
        reason: "asked to",
        actor: "user:ops",
      });
    expect([await change(id, 1), await change(id, 59), await putOff(planned)]).toEqual(
      Array(3).fill(false),
    );
    const to = { ...timeIn(90), expiresHours: 720 };
    expect(await putOff(to)).toBe(true);
    expect(await change(id, 80)).toBe(false);
    await subject.pass(91 * MINUTE_MS);
    expect(await due()).toMatchObject({ expiresHours: 24 });
  });

  test("is sent at the later time after two concurrent reschedulings", async () => {
    const id = await timed();
    const done = await Promise.all([change(id, 120), change(id, 90)]);
    expect(done[0]).toBe(true);
    await subject.pass(91 * MINUTE_MS);
    expect(await subject.ledger.schedule.dueSendTimes()).toEqual([]);
  });

  test("is not due while paused or withdrawn", async () => {
    const paused = await timed();
    await subject.ledger.payout.moveBatch({
      id: paused,
      event: "pause",
      reason: null,
      actor: "ops",
    });
    await subject.pass(61 * MINUTE_MS);
    expect(await subject.ledger.schedule.dueSendTimes()).toEqual([]);
    await subject.ledger.payout.cancelRest({ id: paused, reason: "wrong month", actor: "ops" });
    await subject.ledger.payout.finishBatch(paused);
    expect(await states()).toEqual(["cancelled", "cancelled"]);
    expect(await change(paused, "now")).toBe(false);
  });

  test("queries its code in doubt, but does not resend it before its time", async () => {
    const id = await timed();
    await change(id, "now");
    await settle(null);
    const first = await onlyClaim(id);
    await move(first, { event: "doubt", reason: "no_answer" });
    const payout = { payoutId: first.payoutId, seq: first.seq + 1 };
    expect(await subject.ledger.payout.reopenAttempt(claimOf(id), payout)).not.toBeNull();
  });
});
