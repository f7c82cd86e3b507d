import { createHash } from "node:crypto";
import { COLUMNS } from "#intake/header/columns.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import {
  cellsOf,
  FIRST_LINE,
  listFacts,
  listReader,
  type RowTexts,
  valuesOf,
} from "#intake/rows/row-list.ts";
import type { Problem } from "#intake/text/problems.ts";
import { BrokenFile } from "#flows/intake/ingest.ts";
import { storeRows } from "#flows/intake/store-rows.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import { type IdGenerator, randomIds } from "#base/ids.ts";
import { isUniqueViolation } from "#ledger/store/database-errors.ts";
import type { RowWriter } from "#ledger/intake/row-writer.ts";
import type { AddedPayout } from "#ledger/intake/single/single-payouts.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { laneOf } from "#payout/payout.ts";
import { err, ok, type Result } from "#base/result.ts";

interface SinglePayoutDeps {
  readonly ledger: Ledger;
  readonly keyring: Keyring;
  readonly rows: RowSettings;
  /** Number of payouts of a lane that are sent first, unless a person changes it. */
  readonly canary: number;
  readonly at: Date;
  readonly ids?: IdGenerator;
}

interface SinglePayoutOrder {
  readonly texts: RowTexts;
  readonly actor: string;
  /** Owner of the key. It stays the same when an API key is rotated. */
  readonly owner: string;
  readonly key: string;
}

/** An added payout with the warnings about its row, or the refusal of its key. */
type AddedWithWarnings =
  | (Extract<AddedPayout, { readonly kind: "stored" }> & { readonly warnings: readonly Problem[] })
  | Extract<AddedPayout, { readonly kind: "other_request" }>;

/**
 * Validates one payout like a row of a file, and adds it to the actor's batch of the day, merchant
 * and currency. The key names the payout permanently: repeating the order returns it, with the
 * warnings that the ledger still has. Returns an Err with all problems of the row.
 */
export async function addPayout(
  order: SinglePayoutOrder,
  { ledger, keyring, rows, canary, at, ids = randomIds }: SinglePayoutDeps,
): Promise<Result<AddedWithWarnings, readonly Problem[]>> {
  const { texts, actor, owner, key } = order;
  const cells = cellsOf(COLUMNS, texts);
  const codedCells = valuesOf(texts);
  const requestDigest = createHash("sha256").update(JSON.stringify(codedCells)).digest("hex");
  const known = await ledger.intake.findSinglePayout({ owner, key, requestDigest });
  // The ledger stores only the first rows with a warning, so those of a new row are kept here.
  const fresh: { warnings?: readonly Problem[] } = {};
  const withWarnings = async (added: AddedPayout): Promise<AddedWithWarnings> =>
    added.kind === "stored"
      ? { ...added, warnings: fresh.warnings ?? (await ledger.intake.findRowWarnings(added)) }
      : added;
  if (known) return ok(await withWarnings(known));
  const read = (line: number) => ({ ...listReader(COLUMNS, rows)(cells, line), codedCells });
  const row = read(FIRST_LINE);
  if (row.kind === "rejected") return err(errorsOf(row.problems));
  const { currency } = row.draft.money;
  const merchant = keyring.forCurrency(currency);
  if (!merchant) throw new Error(`no merchant for ${currency}: the row check let it through`);
  const { ownHeader: _, ...facts } = listFacts(COLUMNS, rows);
  const payout = {
    actor,
    owner,
    key,
    requestDigest,
    lane: laneOf(merchant.merchantCode, currency),
    currency,
    newBatchId: ids.batchId(),
    facts,
    canary,
    at,
  };
  // A restored copy that nobody has verified yet must not treat a known request as new.
  await ledger.integrity.verify();
  const fill = async (writer: RowWriter, line: number) => {
    const found = await storeRows([read(line)], writer, { keyring, looksFor: "every code" });
    const errors = errorsOf(found);
    if (errors.length > 0) throw new BrokenFile(errors);
    fresh.warnings = found;
  };
  try {
    const added = await addOnce(() =>
      ledger.transaction(({ intake }) => intake.addSinglePayout(payout, fill)),
    );
    return ok(await withWarnings(added));
  } catch (error) {
    if (error instanceof BrokenFile) return err(error.problems);
    throw error;
  }
}

/** Repeats the work once if another upload took the code meanwhile, which can now be named. */
const addOnce = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    if (!isUniqueViolation(error, "payout_details_code")) throw error;
    return work();
  });

const errorsOf = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ severity }) => severity === "error");
