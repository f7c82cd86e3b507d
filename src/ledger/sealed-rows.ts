import type { Problem } from "#batch/problems.ts";
import type { Sealer } from "#ledger/sealed.ts";
import type { PayoutDetails } from "#payout/payout.ts";

/** What is sealed of a good row: what is sent of it, and how it stood in the file. Amount and code stand beside it in clear. */
export interface SealedPayout {
  readonly details: PayoutDetails;
  readonly payoutCode: string | null;
  readonly callbackUrl: string | null;
  readonly reference: string | null;
  readonly cells: readonly string[];
}

/** What is sealed of a row that was left out: its problems quote what was found. */
export interface SealedRejection {
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

const payoutPlace = (transactionCode: string): string => `payout_details ${transactionCode}`;
const warnedPlace = (batchId: string, line: number): string => `warned_rows ${batchId} ${line}`;
const rejectedPlace = (batchId: string, line: number): string => `rejected_rows ${batchId} ${line}`;

/** One text for all of it: sealing costs by the call, not by the length. */
export const sealPayout = (sealer: Sealer, transactionCode: string, payout: SealedPayout): Buffer =>
  sealer.seal(JSON.stringify(payout), payoutPlace(transactionCode));

/** @throws Error when the text is damaged, or was moved here from another payout. */
export const openPayout = (sealer: Sealer, transactionCode: string, sealed: Buffer): SealedPayout =>
  JSON.parse(sealer.open(sealed, payoutPlace(transactionCode))) as SealedPayout;

export const sealRejected = (
  sealer: Sealer,
  batchId: string,
  { line, cells, problems }: SealedRejection & { readonly line: number },
): Buffer => sealer.seal(JSON.stringify({ cells, problems }), rejectedPlace(batchId, line));

/** @throws Error when the text is damaged, or was moved here from another row. */
export const openRejected = (
  sealer: Sealer,
  batchId: string,
  line: number,
  sealed: Buffer,
): SealedRejection =>
  JSON.parse(sealer.open(sealed, rejectedPlace(batchId, line))) as SealedRejection;

export const sealWarned = (
  sealer: Sealer,
  batchId: string,
  { line, cells, problems }: SealedRejection & { readonly line: number },
): Buffer => sealer.seal(JSON.stringify({ cells, problems }), warnedPlace(batchId, line));

/** @throws Error when the text is damaged, or was moved here from another row. */
export const openWarned = (
  sealer: Sealer,
  batchId: string,
  line: number,
  sealed: Buffer,
): SealedRejection =>
  JSON.parse(sealer.open(sealed, warnedPlace(batchId, line))) as SealedRejection;
