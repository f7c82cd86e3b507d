import type { Problem } from "#intake/text/problems.ts";
import {
  decodePayout,
  encodePayout,
  type SealedPayout,
} from "#ledger/store/keys/compact-payout.ts";
import { Erased } from "#ledger/store/keys/subject-keys.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** Sealed data of a rejected row. It is sealed because its problems quote values of the file. */
export interface SealedRejection {
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
  /** True if the person was erased: there are no cells and problems. */
  readonly isErased?: true;
}

const payoutPlace = (transactionCode: string): string => `payout_details ${transactionCode}`;
const warnedPlace = (batchId: string, line: number): string => `warned_rows ${batchId} ${line}`;
const rejectedPlace = (batchId: string, line: number): string => `rejected_rows ${batchId} ${line}`;

/**
 * Encrypts a payout under the key of its account, bound to its code. All data is one text, because
 * the cost of sealing depends on the number of calls, not on the length.
 *
 * @param account keyed digest of the account.
 */
export const sealPayout = (
  sealer: Sealer,
  { account, code }: { readonly account: Buffer; readonly code: string },
  payout: SealedPayout,
): Buffer =>
  sealer.subjects.isUsed
    ? sealer.subjects.seal(account, encodePayout(payout, code), payoutPlace(code))
    : sealer.seal(JSON.stringify(payout), payoutPlace(code));

/**
 * Decrypts a payout. Returns empty details if they were moved to an archive file, and with
 * `isErased` if the person was erased.
 *
 * @throws Error if the text is damaged or was copied from another payout.
 */
export const openPayout = (
  sealer: Sealer,
  transactionCode: string,
  sealed: Buffer,
): SealedPayout =>
  sealed.length === 0
    ? NO_DETAILS
    : unlessErased(
        () => decodePayout(sealer.open(sealed, payoutPlace(transactionCode)), transactionCode),
        ERASED_PAYOUT,
      );

const NO_DETAILS: SealedPayout = {
  details: {},
  payoutCode: null,
  callbackUrl: null,
  reference: null,
  cells: [],
};

const ERASED_PAYOUT: SealedPayout = { ...NO_DETAILS, isErased: true };

function unlessErased<T>(open: () => T, erased: T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof Erased) return erased;
    throw error;
  }
}

type Line = SealedRejection & { readonly line: number };

/** Encrypts a row under a key of its own, because its account may be unreadable. */
function sealRow(sealer: Sealer, { cells, problems }: SealedRejection, place: string): Buffer {
  const text = JSON.stringify({ cells, problems });
  const { subjects } = sealer;
  return subjects.isUsed ? subjects.sealAlone(text, place) : sealer.seal(text, place);
}

const ERASED_ROW: SealedRejection = { cells: [], problems: [], isErased: true };

const openRow = (sealer: Sealer, sealed: Buffer, place: string): SealedRejection =>
  unlessErased(() => JSON.parse(sealer.open(sealed, place)) as SealedRejection, ERASED_ROW);

/** Encrypts a rejected row with its problems, bound to its batch and line. */
export const sealRejected = (sealer: Sealer, batchId: string, row: Line): Buffer =>
  sealRow(sealer, row, rejectedPlace(batchId, row.line));

/**
 * Decrypts a rejected row. Returns no cells with `isErased` if the person was erased.
 *
 * @throws Error if the text is damaged or was copied from another row.
 */
export const openRejected = (
  sealer: Sealer,
  batchId: string,
  line: number,
  sealed: Buffer,
): SealedRejection => openRow(sealer, sealed, rejectedPlace(batchId, line));

/** Encrypts a row that has warnings, bound to its batch and line. */
export const sealWarned = (sealer: Sealer, batchId: string, row: Line): Buffer =>
  sealRow(sealer, row, warnedPlace(batchId, row.line));

/** Decrypts a row that has warnings, as `openRejected` does. */
export const openWarned = (
  sealer: Sealer,
  batchId: string,
  line: number,
  sealed: Buffer,
): SealedRejection => openRow(sealer, sealed, warnedPlace(batchId, line));

const commentPlace = (id: string): string => `comments ${id}`;

/** Encrypts a comment under a key of its own. Null: a ledger of an older version does not yet. */
export const sealComment = (sealer: Sealer, id: string, text: string): Buffer | null =>
  sealer.subjects.isUsed ? sealer.subjects.sealAlone(text, commentPlace(id)) : null;

/** Returns the text of a comment. Null: it was erased. */
export const openComment = (sealer: Sealer, id: string, sealed: Buffer): string | null =>
  unlessErased<string | null>(() => sealer.open(sealed, commentPlace(id)), null);

/**
 * Encrypts a text that is changed or deleted later, so that a copy is unreadable after the next
 * rotation of PAYRUN_KEY.
 */
export const sealPassing = (sealer: Sealer, text: string, place: string): Buffer =>
  sealer.subjects.isUsed ? sealer.subjects.sealPassing(text, place) : sealer.seal(text, place);
