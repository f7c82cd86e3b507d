import type { Problem } from "#intake/text/problems.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import type { PayoutDetails } from "#payout/payout.ts";

/**
 * Sealed data of a good row: the details that are sent, and the row as it was in the file. Amount
 * and code are stored unsealed next to it.
 */
export interface SealedPayout {
  readonly details: PayoutDetails;
  readonly payoutCode: string | null;
  readonly callbackUrl: string | null;
  readonly reference: string | null;
  readonly cells: readonly string[];
}

/** Sealed data of a rejected row. It is sealed because its problems quote values of the file. */
export interface SealedRejection {
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

const payoutPlace = (transactionCode: string): string => `payout_details ${transactionCode}`;
const warnedPlace = (batchId: string, line: number): string => `warned_rows ${batchId} ${line}`;
const rejectedPlace = (batchId: string, line: number): string => `rejected_rows ${batchId} ${line}`;

/**
 * Seals all data as one text, because the cost of sealing depends on the number of calls, not on
 * the length.
 */
export const sealPayout = (sealer: Sealer, transactionCode: string, payout: SealedPayout): Buffer =>
  sealer.seal(JSON.stringify(payout), payoutPlace(transactionCode));

/** Details of a payout whose sealed details were moved to an archive file. */
const ARCHIVED_PAYOUT: SealedPayout = {
  details: {},
  payoutCode: null,
  callbackUrl: null,
  reference: null,
  cells: [],
};

/** @throws Error if the text is damaged or was copied from another payout. */
export const openPayout = (
  sealer: Sealer,
  transactionCode: string,
  sealed: Buffer,
): SealedPayout =>
  sealed.length === 0
    ? ARCHIVED_PAYOUT
    : (JSON.parse(sealer.open(sealed, payoutPlace(transactionCode))) as SealedPayout);

/** Encrypts a rejected row with its problems, bound to its batch and line. */
export const sealRejected = (
  sealer: Sealer,
  batchId: string,
  { line, cells, problems }: SealedRejection & { readonly line: number },
): Buffer => sealer.seal(JSON.stringify({ cells, problems }), rejectedPlace(batchId, line));

/** @throws Error if the text is damaged or was copied from another row. */
export const openRejected = (
  sealer: Sealer,
  batchId: string,
  line: number,
  sealed: Buffer,
): SealedRejection =>
  JSON.parse(sealer.open(sealed, rejectedPlace(batchId, line))) as SealedRejection;

/** Encrypts a row that has warnings, bound to its batch and line. */
export const sealWarned = (
  sealer: Sealer,
  batchId: string,
  { line, cells, problems }: SealedRejection & { readonly line: number },
): Buffer => sealer.seal(JSON.stringify({ cells, problems }), warnedPlace(batchId, line));

/** @throws Error if the text is damaged or was copied from another row. */
export const openWarned = (
  sealer: Sealer,
  batchId: string,
  line: number,
  sealed: Buffer,
): SealedRejection =>
  JSON.parse(sealer.open(sealed, warnedPlace(batchId, line))) as SealedRejection;
