import { createHash, randomBytes } from "node:crypto";

/** Upper-case letters and digits that cannot be mistaken for each other (Crockford base 32). */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const textOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => ALPHABET[byte & 31]).join("");
const randomText = (length: number): string => textOf(randomBytes(length));

/** A number in [0, 1), for jitter. Never for anything that must not be guessed. */
export const chance = (): number => Math.random();

/** Names batches. An interface, so that a simulation can repeat a run. */
export interface Mint {
  batchId(): string;
}

/** Short enough to type, random enough (50 bits) for one installation. */
export const randomMint: Mint = { batchId: () => `B${randomText(10)}` };

/**
 * The transaction code that a digest of at least 18 bytes stands for: one prefix, fixed length, 90 bits, letters and
 * digits only, so that a gateway that trims or folds case cannot make two of them equal (F54).
 */
export const codeFrom = (digest: Uint8Array): string => `PR${textOf(digest.subarray(0, 18))}`;

/** A transaction code that no payout has. Codes of payouts follow from their rows: row-codes.ts. */
export const newTransactionCode = (): string => codeFrom(randomBytes(18));

/** How a regular expression knows a transaction code that was minted here from one that whoever pays has given. */
export const MINTED_CODE = `^PR[${ALPHABET}]{18}$`;

/**
 * The code under which a row is paid again. It follows from the last code that was made for the row, were it declined or
 * cancelled: a restored ledger that has forgotten it can ask for it.
 */
export function codeAfter(transactionCode: string): string {
  return codeFrom(createHash("sha256").update(`payrun again 0 ${transactionCode}`).digest());
}

/** The transaction code of a deposit: as random as a payout's, and told apart from one at sight. */
export const newDepositCode = (): string => `PD${randomText(18)}`;

/** Names of what is no payout: users, sessions, keys. They name; they open nothing. */
export const newId = (prefix: string): string => `${prefix}${randomText(12)}`;

/** A secret of 256 bits for a cookie, a link or a key, in letters that need no escaping. */
export const newToken = (): string => randomBytes(32).toString("base64url");
