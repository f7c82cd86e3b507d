import { createHmac } from "node:crypto";
import type { NewBatch } from "#ledger/intake/ingest.ts";
import { rowCodes } from "#ledger/intake/transaction-codes.ts";
import type { RowWriter } from "#ledger/intake/row-writer.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { NotRetryable } from "#ledger/payout/retry-batches.ts";
import * as batches from "./batches.ts";
import { Connection, type LedgerClient, type MemoryLedger } from "./connection.ts";
import * as epochs from "./epoch.ts";
import * as ingest from "./ingest.ts";
import { memoryPayout } from "./memory-payout.ts";
import * as sendings from "./send-times.ts";

/** The ledger as one process sees it. */
export function memoryLedger(memory: MemoryLedger, client: LedgerClient): PayingLedger {
  const connection = new Connection(memory, client);
  const { tables, nowMs, call, verify } = connection;
  return {
    intake: {
      createBatch: (batch, fill) => createBatch(connection, batch, fill),
      // Restores that lose whole batches are tested with real ledgers.
      quarantineOf: async () => [],
    },
    payout: memoryPayout(connection),
    schedule: {
      dueSendTimes: () => call("due sendings", () => sendings.dueSendTimes(tables, nowMs())),
      releaseOrHoldBack: (settled) =>
        call("settle sending", () => sendings.releaseOrHoldBack(tables, settled, nowMs())),
      reschedule: (change) =>
        call("change sending", () => sendings.reschedule(tables, change, nowMs())),
    },
    integrity: {
      verify,
      freeze: (order) => call("freeze", () => epochs.freeze(tables, order, nowMs())),
      unfreeze: (order) => call("unfreeze", () => epochs.unfreeze(tables, order)),
      laneProgress: () => call("asked per lane", () => epochs.laneProgress(tables)),
      claimUnsent: (take) => call("take unasked", () => epochs.claimUnsent(tables, take, nowMs())),
      remember: async () => {},
      restoreMemorySince: async () => null,
    },
    withLock: (lock, work) => withLock(memory, client, lock, work),
  };
}

/** Runs work under a lock that is lost with the connection. */
async function withLock<T>(
  { locks }: MemoryLedger,
  client: LedgerClient,
  lock: string,
  work: () => Promise<T>,
): Promise<T | null> {
  const isMine = await client.call("lock", () => {
    if (locks.has(lock)) return false;
    locks.set(lock, client.holder);
    return true;
  });
  if (!isMine) return null;
  try {
    return await work();
  } finally {
    // A broken connection has released its locks.
    await client.call("unlock", () => locks.delete(lock)).catch(() => locks.delete(lock));
  }
}

const keyed = (text: string) => createHmac("sha256", "the key of the ledger").update(text).digest();

async function createBatch(
  connection: Connection,
  batch: NewBatch,
  fill: (writer: RowWriter) => Promise<Readonly<Record<string, unknown>>>,
): Promise<{ id: string; isNew: boolean }> {
  const { tables, nowMs, call } = connection;
  if (batch.retryOf) await connection.verifyOnce();
  const draft: ingest.Draft = { ...batch, payouts: [], rejected: [] };
  const { digest } = batch;
  const writer: RowWriter = {
    codeFor: rowCodes(keyed, { ...batch, ledgerId: "the ledger" }),
    findCodesInUse: (codes) => call("codes in use", () => ingest.codesInUse(tables, codes)),
    addPayouts: (rows) =>
      call("add payouts", () => {
        draft.payouts.push(...rows);
        return ingest.findRecentPayments(tables, rows, nowMs());
      }),
    addRejected: (rows) =>
      call("add rejected", () => {
        draft.rejected.push(...rows);
      }),
    // Data that is only shown to people is not part of this ledger.
    findOpenRetries: () => Promise.resolve(new Map()),
    addWarned: () => call("add warned", () => {}),
  };
  try {
    await call("begin batch", () => {
      if (batches.findBatch(tables, { digest })) throw ingest.digestTaken();
    });
    const facts = await fill(writer);
    await call("commit batch", () => {
      if (batch.retryOf && !connection.maySend()) throw new NotRetryable();
      ingest.commitBatch(tables, draft, facts, nowMs());
    });
    return { id: batch.id, isNew: true };
  } catch (error) {
    const first = isDigestTaken(error)
      ? await call("find batch", () => batches.findBatch(tables, { digest }))
      : null;
    if (!first) throw error;
    return { id: first.id, isNew: false };
  }
}

const isDigestTaken = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === "batches_digest_key";
