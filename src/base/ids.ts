import { createHash, randomBytes } from "node:crypto";

/** Upper-case letters and digits without similar pairs (Crockford base 32). */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function textOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += ALPHABET[byte & 31];
  return text;
}

const randomText = (length: number): string => textOf(randomBytes(length));

/** Returns a number in [0, 1) for jitter. Never use it for anything that must not be guessed. */
export const random = (): number => Math.random();

/** Generates batch ids. An interface, so a simulation can repeat a run. */
export interface IdGenerator {
  batchId(): string;
}

/** Short enough to type, and random enough (50 bits) for one installation. */
export const randomIds: IdGenerator = { batchId: () => `B${randomText(10)}` };

/** Matches a batch ID. */
export const BATCH_ID_PATTERN = new RegExp(`^B[${ALPHABET}]{10}$`);

/**
 * Derives the transaction code from a digest of at least 18 bytes: one prefix, fixed length, 90
 * bits, only letters and digits, so a gateway that trims or ignores case cannot make two codes
 * equal (F54).
 */
export const transactionCodeFrom = (digest: Uint8Array): string =>
  `PR${textOf(digest.subarray(0, 18))}`;

/**
 * Returns a transaction code that no payout has. Codes of payouts are derived from their rows:
 * row-codes.ts.
 */
export const newTransactionCode = (): string => transactionCodeFrom(randomBytes(18));

/**
 * Regular expression that matches generated transaction codes, as opposed to those that the
 * uploader provided.
 */
export const GENERATED_CODE_PATTERN = `^PR[${ALPHABET}]{18}$`;

/**
 * Returns the code under which a row is paid again. It is derived from the last code of the row,
 * whether that was declined or cancelled, so a restored ledger that has lost the new code can query
 * it.
 */
export function retryCodeAfter(transactionCode: string): string {
  return transactionCodeFrom(
    createHash("sha256").update(`payrun again 0 ${transactionCode}`).digest(),
  );
}

/** Returns the transaction code of a deposit: as random as a payout's, with a different prefix. */
export const newDepositCode = (): string => `PD${randomText(18)}`;

/**
 * Returns an id for something other than a payout, such as a user, session or key. Ids are not
 * secret and grant no access.
 */
export const newId = (prefix: string): string => `${prefix}${randomText(12)}`;

/**
 * Returns a secret of 256 bits for a cookie, a link or a key, in characters that need no escaping.
 */
export const newToken = (): string => randomBytes(32).toString("base64url");
