import crypto from "node:crypto";
import { promisify } from "node:util";
import { Slots } from "#flows/slots.ts";

/** Three times the floor of OWASP's password storage sheet (19 MiB, two passes): a fifth of a second on one core. */
const COST = { memory: 65_536, passes: 3, parallelism: 1 };
const HEAD = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;
const TAG_BYTES = 32;

/** argon2id in the usual text form, with its cost, so that a later cost can be told from this one. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(16);
  const hash = await argon2id(password, salt, COST);
  return `${HEAD}${plain(salt)}$${plain(hash)}`;
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;
/** Of no password: who has none, or is nobody, takes as long to refuse as everybody else. */
const NOBODY = `${HEAD}${"A".repeat(22)}$${"A".repeat(43)}`;

export async function passwordFits(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = "", hash = ""] = FORM.exec(stored ?? NOBODY) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const found = await argon2id(password, Buffer.from(salt, "base64"), cost);
  const wanted = Buffer.from(hash, "base64");
  return stored !== null && crypto.timingSafeEqual(found, wanted);
}

/** Whether it was hashed at another cost than today's: whoever knows the password has it hashed anew. */
export const needsRehash = (stored: string): boolean => !stored.startsWith(HEAD);

const plain = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

/**
 * Hashes at once, 64 MB each: fifty people who sign in at nine o'clock wait in line. Unknown browsers have at most
 * STRANGERS_AT_ONCE of them; the rest is for people who are known, whatever strangers do.
 */
const slots = new Slots(3);
export const STRANGERS_AT_ONCE = 2;

function argon2id(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  const message = password.normalize("NFKC");
  const order = { message, nonce, tagLength: TAG_BYTES, ...cost };
  return slots.with(() => promisify(crypto.argon2)("argon2id", order));
}
