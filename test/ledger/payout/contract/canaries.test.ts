import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { releaseCanary, checkCanaries } from "#flows/payout/lane/canaries.ts";
import { cancelBatch, resumeBatch } from "#flows/payout/lane/control-batch.ts";
import type { OpenAttempt } from "#ledger/ledger.ts";
import { flowDeps, scriptedGateway } from "../../../support/flow.ts";
import { ingestFile } from "../../../support/ledger.ts";
import { ledgerSteps, INR } from "../../../support/ledger-steps.ts";
import { fileText, rowsOf } from "../../../support/servers/payrun.ts";
import { LEDGERS, type Subject } from "../../../support/two-ledgers.ts";

/**
 * Guarantees of a batch's canary, in the product's ledger and in the simulation's in-memory ledger.
 */
describe.each(LEDGERS)("the canary of a batch, in %s", (_where, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());
  const { claim, move } = ledgerSteps(() => subject);
  const ledger = () => subject.ledger;

  async function batchWith(payouts: number, size: number): Promise<string> {
    const { batch } = await ingestFile(ledger(), fileText(rowsOf(size)));
    const order = { batchId: batch.id, payouts, actor: "checker" };
    expect(await ledger().payout.setCanary(order)).toBe(true);
    const { contentDigest } = batch;
    const approval = { actor: "checker", contentDigest, totals: totalsOf(batch) };
    expect((await approve(batch.id, approval, { ledger: ledger() })).ok).toBe(true);
    expect(await ledger().payout.setCanary(order)).toBe(false);
    return batch.id;
  }
  const end = async ({ payoutId, seq }: OpenAttempt, event: "settle" | "decline") => {
    await move({ payoutId, seq });
    await move({ payoutId, seq: seq + 1 }, { from: "accepted", event });
  };
  const sweep = () => checkCanaries(flowDeps(ledger(), scriptedGateway()).deps);
  const stateOf = async (id: string) => (await ledger().payout.findBatch({ id }))?.state;
  const order = (batchId: string) => ({ batchId, actor: "operator", reason: "looked at" });

  test("limits the claims of all processes to the first payouts until they have settled", async () => {
    const id = await batchWith(2, 5);
    expect(await ledger().payout.dueWork(id, INR, 100)).toMatchObject({ toSend: 2, open: true });
    const [first, second, ...more] = await claim(id);
    expect(more).toEqual([]);
    expect(await ledger().payout.dueWork(id, INR, 100)).toMatchObject({ toSend: 0, open: true });
    if (!first || !second) throw new Error("no canary");
    await end(first, "settle");
    await sweep();
    expect(await subject.another().payout.openAttempts(claimOfAll(id))).toEqual([]);
    expect(
      await ledger().payout.releaseCanaries({ ...order(id), lane: INR, reason: null }),
    ).toEqual([]);
    await end(second, "settle");
    expect(await ledger().payout.canaries(null)).toMatchObject([
      { payouts: 2, settled: 2, lost: null },
    ]);
    await sweep();
    expect(await claim(id)).toHaveLength(3);
    expect(await ledger().payout.canaries(null)).toEqual([]);
    expect(await ledger().payout.canaries(id)).toMatchObject([
      { releasedBy: "canary", failed: null },
    ]);
  });

  const claimOfAll = (batchId: string) => ({
    batchId,
    lane: INR,
    sizeMax: 100,
    worker: "other",
    keyId: "k1",
    leaseMs: 60_000,
    inDoubtLimit: { count: 500, minor: null },
  });

  test("pauses the batch when declined; a person's release continues it, resuming does not", async () => {
    const id = await batchWith(1, 3);
    const [first] = await claim(id);
    if (!first) throw new Error("no canary");
    await end(first, "decline");
    await sweep();
    expect(await ledger().payout.findBatch({ id })).toMatchObject({
      state: "paused",
      reason: `the canary payout ${first.order.transactionCode} is declined`,
    });
    expect(await resumeBatch(order(id), ledger())).toMatchObject({
      error: { kind: "canary_failed" },
    });
    expect(await claim(id)).toEqual([]);
    expect(await releaseCanary(order(id), ledger())).toMatchObject({ value: { lanes: [INR] } });
    expect(await stateOf(id)).toBe("approved");
    expect(await claim(id)).toHaveLength(2);
    expect(await releaseCanary(order(id), ledger())).toMatchObject({
      error: { kind: "no_canary" },
    });
    const told = (await subject.audit()).slice(-3).map(({ actor, action }) => `${actor} ${action}`);
    expect(told).toEqual(["canary pause", "operator release_canary", "operator resume"]);
  });

  test("pauses the batch when unfinished for too long, and the rest can be cancelled", async () => {
    const id = await batchWith(1, 2);
    await claim(id);
    await sweep();
    expect(await stateOf(id)).toBe("approved");
    await subject.pass(31 * 60_000);
    await sweep();
    expect(await stateOf(id)).toBe("paused");
    expect(await cancelBatch(order(id), ledger())).toMatchObject({ value: { cancelled: 1 } });
  });

  test("does not apply to a lane with only canary payouts, and 0 means no canary", async () => {
    const [small, none] = [await batchWith(2, 2), await batchWith(0, 2)];
    expect([await claim(small), await claim(none)].map(({ length }) => length)).toEqual([2, 2]);
    expect(await ledger().payout.canaries(small)).toEqual([]);
  });

  test("is not failed while it waits to be sent, however long its lane is stopped", async () => {
    const id = await batchWith(1, 2);
    await ledger().payout.stopLane(INR, { until: "person", reason: "wrong key" });
    await subject.pass(600 * 60_000);
    await sweep();
    expect(await stateOf(id)).toBe("approved");
  });
});
