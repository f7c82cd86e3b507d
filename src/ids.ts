import { randomBytes } from "node:crypto";

/** Upper-case letters and digits that cannot be mistaken for each other (Crockford base 32). */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function randomText(length: number): string {
  let text = "";
  for (const byte of randomBytes(length)) text += ALPHABET[byte & 31];
  return text;
}

/** A number in [0, 1), for jitter. Never for anything that must not be guessed. */
export const chance = (): number => Math.random();

/** Makes the names that are for life. An interface, so that a simulation can repeat a run. */
export interface Mint {
  batchId(): string;
  transactionCode(): string;
}

/**
 * Batch: short enough to type, random enough (50 bits) for one installation. Transaction code: one prefix, fixed
 * length, 90 random bits, letters and digits only, so that a gateway that trims or folds case cannot make two of them
 * equal (F54).
 */
export const randomMint: Mint = {
  batchId: () => `B${randomText(10)}`,
  transactionCode: () => `PR${randomText(18)}`,
};

/** The transaction code of a deposit: as random as a payout's, and told apart from one at sight. */
export const newDepositCode = (): string => `PD${randomText(18)}`;

/** Names of what is no payout: users, sessions, keys. They name; they open nothing. */
export const newId = (prefix: string): string => `${prefix}${randomText(12)}`;

/** A secret of 256 bits for a cookie, a link or a key, in letters that need no escaping. */
export const newToken = (): string => randomBytes(32).toString("base64url");
