/**
 * The way of a file's payouts through the ledger, from the rows to the settlement, without workers,
 * queue and gateway.
 */
import { createReadStream } from "node:fs";
import type { Payrun } from "#app/wiring.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { ingest } from "#flows/intake/ingest.ts";
import type { Batch, OpenAttempt, PayingLedger, StatusQuery } from "#ledger/ledger.ts";

const WORKER = "host-1234-abcdef";
const LEASE_MS = 600_000;

const ANSWER = {
  httpStatus: 200,
  code: null,
  text: "request withdraw successful",
  elapsedMs: 12.345,
  dateOffsetMs: -345,
};

const RECORD = {
  currency: "INR",
  amount: "100.00",
  state: "completed",
  fee: "1.00",
  says: null,
  at: "2026-11-27T00:00:00Z",
};

/** Number of payouts that a statement claims, and that are moved at a time. */
export interface WalkOptions {
  readonly group: number;
}

/** Ingests the file and returns its batch. */
export async function ingestFile(file: string, payrun: Payrun): Promise<Batch> {
  const { ledger, keyring, rows } = payrun;
  const upload = { fileName: file, open: () => createReadStream(file), actor: "bench" };
  const taken = await ingest(upload, { ledger, keyring, rows });
  if (!taken.ok) throw new Error("the file was refused");
  return taken.value.batch;
}

/** Approves a batch with the totals that it has. */
export async function approveBatch(batch: Batch, { ledger }: Payrun): Promise<void> {
  const { contentDigest } = batch;
  const approval = { actor: "bench", contentDigest, totals: totalsOf(batch) };
  await approve(batch.id, approval, { ledger });
}

/** Opens an attempt for each payout of an approved batch with one lane. */
export async function claimAll(
  batch: Batch,
  { ledger }: Payrun,
  { group }: WalkOptions,
): Promise<readonly OpenAttempt[]> {
  const inDoubtLimit = { count: 500, minor: null };
  const claim = { ...workOf(batch, group), worker: WORKER, keyId: "k", inDoubtLimit };
  return untilEmpty(() => ledger.payout.openAttempts(claim));
}

/** Records an accepting answer to each attempt. */
export const acceptAll = (
  attempts: readonly OpenAttempt[],
  { ledger }: { readonly ledger: PayingLedger },
  { group }: WalkOptions,
): Promise<void> =>
  inGroups(attempts, group, ({ payoutId, seq }) =>
    ledger.payout.move({
      payoutId,
      seq,
      from: "submitting",
      event: "accept",
      reason: null,
      dueInMs: 0,
      actor: WORKER,
      evidence: { kind: "answer", attempt: 1, facts: { ...ANSWER, outcome: "accepted" } },
    }),
  );

/** Claims the status query of each accepted payout. */
export const claimQueries = (
  batch: Batch,
  { ledger }: Payrun,
  { group }: WalkOptions,
): Promise<readonly StatusQuery[]> =>
  untilEmpty(() => ledger.payout.claimStatusQueries(workOf(batch, group)));

/** Records a final status with a fee as the answer to each query. */
export const settleAll = (
  queries: readonly StatusQuery[],
  { ledger }: Payrun,
  { group }: WalkOptions,
): Promise<void> =>
  inGroups(queries, group, ({ payoutId, seq, transactionCode }) => {
    const gatewayNumber = `WD${transactionCode.slice(-10)}`;
    const facts = { ...ANSWER, answer: "found", ...RECORD, gatewayNumber, transactionCode };
    return ledger.payout.move({
      payoutId,
      seq,
      from: "accepted",
      event: "settle",
      reason: null,
      dueInMs: 0,
      actor: WORKER,
      gatewayNumber,
      fee: { kind: "read", fee: { currency: "INR", minor: 100n, minorDigits: 2 } },
      evidence: { kind: "status", attempt: null, facts },
    });
  });

function workOf({ id, lanes }: Batch, sizeMax: number) {
  const [{ lane } = { lane: "" }] = lanes;
  return { batchId: id, lane, sizeMax, leaseMs: LEASE_MS };
}

async function untilEmpty<T>(take: () => Promise<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = [];
  for (;;) {
    const taken = await take();
    if (taken.length === 0) return all;
    all.push(...taken);
  }
}

/** Calls the function for each element, as many at a time as a group has. */
async function inGroups<T>(
  all: readonly T[],
  group: number,
  each: (one: T) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < all.length; at += group)
    await Promise.all(all.slice(at, at + group).map(each));
}
