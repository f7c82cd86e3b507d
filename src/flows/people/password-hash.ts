import crypto from "node:crypto";
import { promisify } from "node:util";
import { RequestSlots } from "#flows/request-slots.ts";

/**
 * Three times the minimum of OWASP's password storage sheet (19 MiB, two passes): a fifth of a
 * second on one core.
 */
const COST = { memory: 65_536, passes: 3, parallelism: 1 };
const HASH_PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;
const TAG_BYTES = 32;

/**
 * Hashes with argon2id. The usual text form includes the cost, so that a later cost can be
 * recognised.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(16);
  const hash = await argon2id(password, salt, COST);
  return `${HASH_PREFIX}${unpaddedBase64(salt)}$${unpaddedBase64(hash)}`;
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;
/**
 * The hash of no password. Refusing a user without a password, or an unknown user, takes as long as
 * refusing any other user.
 */
const DUMMY_HASH = `${HASH_PREFIX}${"A".repeat(22)}$${"A".repeat(43)}`;

/** Compares a password with its stored hash, in the same time when the user does not exist. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = "", hash = ""] =
    FORM.exec(stored ?? DUMMY_HASH) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const found = await argon2id(password, Buffer.from(salt, "base64"), cost);
  const wanted = Buffer.from(hash, "base64");
  return stored !== null && crypto.timingSafeEqual(found, wanted);
}

/**
 * Returns whether the password was hashed at another cost than today's. The caller hashes it again
 * at the next correct sign-in.
 */
export const needsRehash = (stored: string): boolean => !stored.startsWith(HASH_PREFIX);

const unpaddedBase64 = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

/**
 * Concurrent hashes, of 64 MB each: fifty people who sign in at nine o'clock wait in line. Unknown
 * browsers use at most STRANGERS_AT_ONCE of the slots; the rest is reserved for known browsers,
 * however many strangers try.
 */
const slots = new RequestSlots(3);
export const STRANGERS_AT_ONCE = 2;

function argon2id(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  const message = password.normalize("NFKC");
  const order = { message, nonce, tagLength: TAG_BYTES, ...cost };
  return slots.withSlot(() => promisify(crypto.argon2)("argon2id", order));
}
