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

/**
 * The code of a payout for its whole life: one prefix, fixed length, 90 random bits, letters and digits only, so
 * that a gateway that trims or folds case cannot make two of them equal (F54).
 */
export const mintTransactionCode = (): string => `PR${randomText(18)}`;

/** Short enough to type, random enough (50 bits) for the batches of one installation. */
export const mintBatchId = (): string => `B${randomText(10)}`;
