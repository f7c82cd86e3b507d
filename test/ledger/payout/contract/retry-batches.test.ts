import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { createRetryBatch, type CreatedRetryBatch } from "#flows/payout/retry-batch.ts";
import { retryCodeAfter } from "#base/ids.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { claimOf, declineAll, TEST_KEYRING } from "../../../support/ledger.ts";
import { ledgerSteps } from "../../../support/ledger-steps.ts";
import { LEDGERS, type Stored, type Subject } from "../../../support/two-ledgers.ts";

const DEPS = { keyring: TEST_KEYRING, rows: DEFAULT_ROW_SETTINGS };

/** Guarantees of a retry batch, in both ledgers. */
describe.each(LEDGERS)("a retry batch in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { batchOf, claim, move, states } = ledgerSteps(() => subject);

  const again = (batchId: string, ledger: PayingLedger = subject.ledger) =>
    createRetryBatch(
      { batchId, actor: "maker", reason: "the account was confirmed" },
      { ...DEPS, ledger },
    );
  async function made(batchId: string): Promise<CreatedRetryBatch["batch"]> {
    const remainder = await again(batchId);
    if (!remainder.ok) throw new Error(JSON.stringify(remainder.error));
    return remainder.value.batch;
  }
  async function approved(batchId: string): Promise<string> {
    const batch = await made(batchId);
    const { contentDigest } = batch;
    const approval = { actor: "checker", contentDigest, totals: totalsOf(batch) };
    await approve(batch.id, approval, { ledger: subject.ledger });
    return batch.id;
  }
  async function declined(count: number): Promise<string> {
    const { id } = await batchOf(count);
    await declineAll(subject.ledger, id);
    return id;
  }
  const takeBack = async ({ id, seq }: Stored) =>
    move({ payoutId: id, seq }, { from: "declined", event: "hold", reason: "contradiction" });
  const nth = async (place: number): Promise<Stored> => {
    const payout = (await subject.payouts())[place];
    if (!payout) throw new Error(`no payout ${place}`);
    return payout;
  };

  test("F55 waits until the gateway is known to have no second payment of a declined payout", async () => {
    const { id } = await batchOf(1);
    const [first] = await claim(id);
    if (!first) throw new Error("not claimed");
    await move(first, { event: "doubt", reason: "no_answer", mayBeProcessed: true });
    const { ledger } = subject;
    const doubted = { payoutId: first.payoutId, seq: first.seq + 1 };
    const second = await ledger.payout.reopenAttempt(claimOf(id), doubted);
    if (!second) throw new Error("not claimed again");
    await move(second, { event: "decline", reason: "failed_at_gateway" });
    expect(await again(id)).toMatchObject({ ok: false, error: { kind: "nothing" } });
    await ledger.payout.scheduleRepeatedCodeCheck(first.payoutId, null);
    expect((await made(id)).rows).toBe(1);
  });

  test("contains exactly the declined payouts, waits for approval, and keeps their order", async () => {
    const { id } = await batchOf(4);
    const [first, second, third] = await claim(id, { sizeMax: 3 });
    if (!first || !second || !third) throw new Error("not claimed");
    await move(first, { event: "decline" });
    await move(second, { event: "hold" });
    await move(third, { event: "doubt" });
    const batch = await made(id);
    expect(batch).toMatchObject({ state: "awaiting_approval", rows: 1, rejected: 0 });
    expect(await states()).toEqual([
      "declined",
      "on_hold",
      "in_doubt",
      "approved",
      "awaiting_approval",
    ]);
    expect(await subject.ledger.payout.retryBatchesOf(id)).toEqual([batch.id]);
    const [attempt] = await claim(await approvedOf(batch));
    expect(attempt?.order).toMatchObject({
      ...first.order,
      transactionCode: retryCodeAfter(first.order.transactionCode),
    });
  });

  const approvedOf = async (batch: CreatedRetryBatch["batch"]): Promise<string> => {
    const { id, contentDigest } = batch;
    await approve(
      id,
      { actor: "checker", contentDigest, totals: totalsOf(batch) },
      { ledger: subject.ledger },
    );
    return id;
  };

  test("I1 is created once by two concurrent requests, and the second one learns of the first", async () => {
    const id = await declined(3);
    const both = await Promise.all([1, 2].map(() => again(id, subject.another())));
    const [only] = both.flatMap((each) => (each.ok ? [each.value.batch.id] : []));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => !ok)).toMatchObject({
      error: { kind: "paid_again", batchIds: [only] },
    });
    expect(await again(id)).toMatchObject({ error: { kind: "paid_again", batchIds: [only] } });
    expect(await subject.payouts()).toHaveLength(6);
  });

  test("is not created without declined payouts or without the batch", async () => {
    const { id } = await batchOf(1);
    expect(await again(id)).toEqual({ ok: false, error: { kind: "nothing", returned: [] } });
    expect(await again("B0")).toEqual({ ok: false, error: { kind: "not_found" } });
  });

  test("I1 is not sent once the gateway has reversed a decline, and reports that", async () => {
    const parent = await declined(2);
    const id = await approved(parent);
    const working = (await subject.ledger.payout.workingBatches()).map((each) => [
      each.id,
      each.isRemainder,
    ]);
    expect(working).toEqual([[id, true]]);
    await takeBack(await nth(0));
    expect(await claim(id)).toHaveLength(1);
    expect(await subject.ledger.payout.holdInvalidRetries(id)).toBe(1);
    expect(await nth(2)).toMatchObject({ state: "on_hold", reason: "overtaken" });
    expect(await subject.ledger.payout.holdInvalidRetries(id)).toBe(0);
    expect(await states()).toEqual(["on_hold", "declined", "on_hold", "submitting"]);
  });

  test("I1 is not sent when it retries a retry of that payout", async () => {
    const child = await approved(await declined(1));
    await declineAll(subject.ledger, child);
    const grandchild = await approved(child);
    await takeBack(await nth(0));
    expect(await claim(grandchild)).toEqual([]);
    expect(await subject.ledger.payout.holdInvalidRetries(grandchild)).toBe(1);
  });

  test("I1 is not sent when it was not yet approved at the reversal", async () => {
    const batch = await made(await declined(2));
    await takeBack(await nth(1));
    expect(await subject.ledger.payout.holdInvalidRetries(batch.id)).toBe(0);
    const id = await approvedOf(batch);
    expect(await subject.ledger.payout.holdInvalidRetries(id)).toBe(1);
    expect(await states()).toEqual(["declined", "on_hold", "approved", "on_hold"]);
  });

  test("I1 is not resent in doubt after the gateway reversed the decline", async () => {
    const id = await approved(await declined(1));
    const [attempt] = await claim(id);
    if (!attempt) throw new Error("not claimed");
    await move(attempt, { event: "doubt" });
    await takeBack(await nth(0));
    const { order, lane } = attempt;
    const asked = await subject.ledger.payout.findStatusQuery(order.transactionCode);
    expect(asked).toMatchObject({ state: "in_doubt", isInvalidRetry: true });
    const resend = { batchId: id, lane, worker: "test", keyId: "k1", leaseMs: 1_000 };
    expect(
      await subject.ledger.payout.reopenAttempt(resend, {
        payoutId: attempt.payoutId,
        seq: asked?.seq ?? 0,
      }),
    ).toBeNull();
  });

  test("is limited to two retries of a payout", async () => {
    const child = await approved(await declined(1));
    await declineAll(subject.ledger, child);
    const grandchild = await approved(child);
    await declineAll(subject.ledger, grandchild);
    expect(await again(grandchild)).toEqual({
      ok: false,
      error: { kind: "nothing", returned: [] },
    });
  });

  const cancelled = async (parent: string): Promise<string> => {
    const { id } = await made(parent);
    const cancel = { id, event: "cancel", reason: null, actor: "test" } as const;
    expect(await subject.ledger.payout.moveBatch(cancel)).toBe(1);
    return id;
  };

  test("I1 may be created again after a cancellation, with codes that follow the cancelled ones", async () => {
    const { id } = await batchOf(1);
    const [first] = await claim(id);
    if (!first) throw new Error("not claimed");
    await move(first, { event: "decline" });
    await cancelled(id);
    const [attempt] = await claim(await approved(id));
    expect(await states()).toEqual(["declined", "cancelled", "submitting"]);
    const code = retryCodeAfter(retryCodeAfter(first.order.transactionCode));
    expect(attempt).toMatchObject({ order: { transactionCode: code } });
  });

  test("I1 counts a cancelled retry batch as one of the two", async () => {
    const parent = await declined(1);
    const ids = [await cancelled(parent), await cancelled(parent)];
    expect(await again(parent)).toMatchObject({ error: { kind: "paid_again", batchIds: ids } });
    const other = await declined(1);
    await cancelled(other);
    const child = await approved(other);
    await declineAll(subject.ledger, child);
    expect(await again(child)).toEqual({ ok: false, error: { kind: "nothing", returned: [] } });
  });

  test("F26 is never created from payouts that a frozen ledger had, because it may have forgotten one", async () => {
    const id = await declined(1);
    // The clock of the freezing machine is behind the clock of the upload.
    await subject.pass(-3_600_000);
    const epoch = await subject.ledger.integrity.freeze({ reason: "restored", actor: "test" });
    expect(await again(id)).toEqual({ ok: false, error: { kind: "frozen" } });
    await subject.ledger.integrity.unfreeze({
      epoch: epoch ?? 0,
      reason: "asked for",
      actor: "test",
    });
    expect(await again(id)).toEqual({ ok: false, error: { kind: "nothing", returned: [] } });
    expect((await made(await declined(1))).rows).toBe(1);
  });
});
