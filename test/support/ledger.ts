import { Readable } from "node:stream";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { afterAll, beforeAll } from "vitest";
import { systemClock } from "#base/clock.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { ingest, type Ingested } from "#flows/intake/ingest.ts";
import { addPayout } from "#flows/intake/single-payout.ts";
import { makeKeyring, parseMerchants } from "#gateway/wire/keyring.ts";
import { type Database, openDatabase, openPrepared } from "#ledger/store/database.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import type { Batch, Claim, Ledger, PayingLedger } from "#ledger/ledger.ts";
import { markSentForApproval } from "#ledger/intake/batch-description.ts";
import { createSealer, type Sealer } from "#ledger/store/sealing.ts";
import { laneOf } from "#payout/payout.ts";
import { Secret } from "#base/secret.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { FAST, fileText, type TestRow } from "./servers/payrun.ts";
import { sharedDatabase } from "./servers/databases.ts";
import { type PostgresServer, startPostgres } from "./servers/postgres.ts";
import { migrated } from "./servers/shared-server.ts";

let own: PostgresServer | null = null;

/**
 * For a file that kills or restarts PostgreSQL: a separate server for every ledger opened in this
 * file.
 */
export function ownPostgres(): () => PostgresServer {
  beforeAll(async () => {
    own = await startPostgres();
  });
  afterAll(async () => {
    await own?.stop();
    own = null;
  });
  return () => {
    if (!own) throw new Error("no test runs now");
    return own;
  };
}

async function newDatabase(kind: "empty" | "migrated"): Promise<string> {
  if (!own) return sharedDatabase(kind);
  return (await own.createDatabase(kind === "migrated" ? migrated : undefined)).url;
}

/** Address of a new, empty database. */
export const freshDatabase = (): Promise<string> => newDatabase("empty");

/** Address of a ledger that has not been opened yet. */
export const freshLedger = (): Promise<string> => newDatabase("migrated");

export interface TestLedger {
  readonly url: string;
  readonly database: Database;
  readonly sealer: Sealer;
  readonly ledger: Ledger;
  close(): Promise<void>;
}

export const TEST_SEALER = createSealer(new Secret(FAST["PAYRUN_KEY"] ?? ""));

/** A migrated ledger in a new database, or the one at `url`. */
export async function openTestLedger(url?: string): Promise<TestLedger> {
  const address = url ?? (await freshLedger());
  const database = withAuditSeal(openDatabase(address), TEST_SEALER);
  const sending = openPrepared(address, 2);
  const asking = openPrepared(address, 4);
  const ledger = createLedger(database, TEST_SEALER, systemClock, { sending, asking });
  const close = async () => {
    await sending.destroy();
    await asking.destroy();
    await database.destroy();
  };
  return { url: address, database, sealer: TEST_SEALER, ledger, close };
}

const parsed = parseMerchants(DEMO_MERCHANTS);
if (!parsed.ok) throw new Error(parsed.error);
export const TEST_KEYRING = makeKeyring(parsed.value);

/** The lane of a currency with the demo merchants. */
export const laneIn = (currency: string): string =>
  laneOf(TEST_KEYRING.forCurrency(currency)?.merchantCode ?? "", currency);

/** Ingests a file as `pay` does; an Err fails the test. */
export async function ingestFile(
  ledger: PayingLedger,
  text: string | Buffer,
  actor = "maker",
): Promise<Ingested> {
  const open = () => Readable.from([Buffer.from(text)]) as AsyncIterable<Uint8Array>;
  const taken = await ingest(
    { fileName: "test.csv", open, actor },
    { ledger, keyring: TEST_KEYRING, rows: DEFAULT_ROW_SETTINGS },
  );
  if (!taken.ok) throw new Error(JSON.stringify(taken.error));
  return taken.value;
}

let singles = 0;

/** Adds a single payout to the actor's draft of the day, and returns the ID of this batch. */
export async function addSingle(
  ledger: Ledger,
  { account = "50100000000001", amount = "100.00", name = "Asha Rao" }: TestRow,
  actor = "maker",
): Promise<string> {
  const texts = {
    user_id: "U-1",
    currency_code: "INR",
    transaction_amount: amount,
    account_name: name,
    bank_account_number: account,
    ifsc_code: "HDFC0000001",
    bank_code: "HDFC",
    bank_name: "HDFC Bank",
  };
  const added = await addPayout(
    { texts, actor, owner: actor, key: `single-${++singles}` },
    {
      ledger,
      keyring: TEST_KEYRING,
      rows: DEFAULT_ROW_SETTINGS,
      canary: 0,
      at: new Date(),
    },
  );
  if (!added.ok || added.value.kind !== "stored") throw new Error(JSON.stringify(added));
  return added.value.batchId;
}

/** A batch of these rows, approved and due. */
export async function approvedBatch(
  ledger: PayingLedger,
  rows: readonly TestRow[],
): Promise<Batch> {
  const { batch } = await ingestFile(ledger, fileText(rows));
  const totals = totalsOf(batch);
  const approved = await approve(
    batch.id,
    { actor: "checker", contentDigest: batch.contentDigest, totals },
    { ledger },
  );
  if (!approved.ok) throw new Error(JSON.stringify(approved.error));
  return batch;
}

/** A claim with sensible values. */
export const claimOf = (batchId: string, change: Partial<Claim> = {}): Claim => ({
  batchId,
  lane: laneIn("INR"),
  sizeMax: 100,
  worker: "test",
  keyId: "k1",
  leaseMs: 60_000,
  inDoubtLimit: { count: 500, minor: null },
  ...change,
});

/** The gateway refuses every payout of an approved batch. */
export async function declineAll(
  ledger: PayingLedger,
  batchId: string,
  reason = "failed_at_gateway",
  currency = "INR",
): Promise<void> {
  const claim = claimOf(batchId, { lane: laneIn(currency) });
  for (const { payoutId, seq } of await ledger.payout.openAttempts(claim)) {
    await ledger.payout.move({
      payoutId,
      seq,
      from: "submitting",
      event: "decline",
      reason,
      dueInMs: 0,
      actor: "test",
      evidence: { kind: "answer", attempt: 1, facts: { text: reason } },
    });
  }
  await ledger.payout.finishBatch(batchId);
}

/** Requests approval of a batch, as its maker does. */
export const sendForApproval = (database: Database, { id, maker }: Batch): Promise<boolean> =>
  database.transaction().execute((transaction) =>
    markSentForApproval(transaction, {
      batchId: id,
      leaveOut: false,
      compared: [],
      actor: maker,
      at: new Date(),
    }),
  );
