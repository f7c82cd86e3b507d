import { maskPayout } from "#intake/masking.ts";
import { outcomeOf, type PackPayout } from "#integrity/evidence-pack/records.ts";
import { type ExportedPayout, exportedPayouts } from "#ledger/integrity/export/export.ts";
import type { Database } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { payoutDocument } from "#views/integrity/payout-document.ts";

/** A payout as the ledger has it, and as the pack contains it. */
export interface PackedPayout {
  readonly payout: ExportedPayout;
  readonly document: PackPayout;
}

/** The payouts of a pack, and whether it contains account numbers in full. */
export interface PackScope {
  readonly batchId: string;
  /** Null: all payouts of the batch. */
  readonly code: string | null;
  readonly isFull: boolean;
}

/** Yields the payouts of a pack in the order of the file. */
export async function* packPayouts(
  snapshot: Database,
  sealer: Sealer,
  { batchId, code, isFull }: PackScope,
): AsyncGenerator<PackedPayout> {
  const only = code === null ? { batchId } : { batchId, code };
  for await (const payout of exportedPayouts(snapshot, only)) {
    const sealed = openPayout(sealer, payout.transactionCode, payout.sealed ?? Buffer.alloc(0));
    const { details, reference } = isFull ? sealed : maskPayout(payout.money.currency, sealed);
    const records = {
      ...payoutDocument(payout),
      beneficiary: details as Readonly<Record<string, string>>,
      reference,
    };
    yield { payout, document: { ...records, ...outcomeOf(records) } };
  }
}
