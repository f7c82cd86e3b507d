import { maskPayout } from "#intake/masking.ts";
import { outcomeOf, type PackPayout } from "#integrity/evidence-pack/records.ts";
import { type ExportedPayout, exportedPayouts } from "#ledger/integrity/export/export.ts";
import type { Database } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import type { PayoutDetails } from "#payout/payout.ts";
import { reasonCode } from "#payout/reasons.ts";
import { payoutDocument } from "#views/integrity/payout-document.ts";

/** A payout as the pack shows it on the page, and in the data files. */
export interface PackedPayout {
  readonly payout: ExportedPayout;
  readonly document: PackPayout;
}

/** The payouts of a pack, and whether it contains accounts, names, references and texts. */
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
    const shown = isFull ? payout : withoutTexts(payout);
    const { details, reference } = isFull ? sealed : maskPerson(payout.money.currency, sealed);
    const records = {
      ...payoutDocument(shown),
      beneficiary: details as Readonly<Record<string, string>>,
      reference,
    };
    yield { payout: shown, document: { ...records, ...outcomeOf(records) } };
  }
}

const HIDDEN = "•••••";
/** Columns of which even the last characters could identify a person. */
const PERSONAL: readonly (keyof PayoutDetails)[] = [
  "account_name",
  "user_id",
  "phone_number",
  "address",
];

/** Masks the beneficiary and the reference for readers outside the company. */
function maskPerson(currency: string, sealed: Parameters<typeof maskPayout>[1]) {
  const { details, reference } = maskPayout(currency, sealed);
  const hidden = PERSONAL.filter((name) => details[name]).map((name) => [name, HIDDEN]);
  return {
    details: { ...details, ...Object.fromEntries(hidden) },
    reference: reference && HIDDEN,
  };
}

/**
 * Facts of evidence without free text. Texts of the gateway can repeat the beneficiary's name or
 * account.
 */
const CODED_FACTS: ReadonlySet<string> = new Set(
  "answer outcome reason httpStatus code elapsedMs dateOffsetMs transactionCode state amount currency fee gatewayNumber numbers unnumbered kind merchantCode transactionNo".split(
    " ",
  ),
);

/** Removes the texts of the gateway and of people, and keeps the codes of reasons. */
function withoutTexts(payout: ExportedPayout): ExportedPayout {
  const { reason, evidence, transitions } = payout;
  return {
    ...payout,
    reason: reasonCode(reason),
    evidence: evidence.map(({ facts, ...each }) => ({
      ...each,
      facts: Object.fromEntries(
        Object.entries(facts ?? {}).filter(([name]) => CODED_FACTS.has(name)),
      ),
    })),
    transitions: transitions.map((each) => ({ ...each, reason: reasonCode(each.reason) })),
  };
}
