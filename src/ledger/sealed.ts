import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import type { Secret } from "#secret.ts";

/**
 * Beneficiary details at rest: AES-256-GCM under a key that PAYRUN_KEY opens, with the transaction code as
 * associated data, so that a sealed text cannot be moved to another payout. Digests for look-up are keyed (HMAC):
 * account numbers have too little entropy for a plain hash.
 */
export interface Sealer {
  /** @param place table, column and row, bound to the text: it opens there and nowhere else. */
  seal(text: string, place: string): Buffer;
  /** @throws Error when key, place or text do not fit together. */
  open(sealed: Buffer, place: string): string;
  /** 32 bytes; equal texts have equal digests, and nobody without the key can try texts out. */
  digest(text: string): Buffer;
  /** As `digest`, under a key of its own: transaction codes are made of it. It stays the same when PAYRUN_KEY is rotated. */
  codeDigest(text: string): Buffer;
  /** How many keys the ledger has: the last of them seals and signs. */
  readonly generation: number;
  /** Signs a line of the audit log with a key of the ledger (HMAC-SHA-256). Null: there is no such key here. */
  sign(generation: number, ...parts: readonly (string | Buffer)[]): Buffer | null;
  /** Names the key without telling it: kept in the ledger to refuse a wrong PAYRUN_KEY at start. */
  readonly keyCheck: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The first byte of what is sealed says which of the ledger's keys opens it. */
const KEYS_MAX = 255;
const RING_PLACE = "settings key_ring";

/**
 * @param key PAYRUN_KEY: 32 bytes as 64 hexadecimal digits or as Base64.
 * @param ring the ledger's keys, sealed under PAYRUN_KEY. Null: it was never rotated, and is the only one itself.
 */
export function createSealer(key: Secret, ring: string | null = null): Sealer {
  const outer = readKey(key.reveal());
  const keys = ring === null ? [outer] : keysIn(ring, key);
  // Key objects, not bytes: Node 24 seals three times as fast with them (measured).
  const derive = (master: Buffer, use: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync("sha256", master, "", `payrun ${use}`, 32)));
  const sealKeys = keys.map((master) => derive(master, "seal v1"));
  const [newest] = sealKeys.slice(-1);
  const [first] = keys;
  if (!newest || !first) throw new Error("a ledger has at least one key");
  // What is looked up was written with the first key, and stands in tables that only grow.
  const digestKey = derive(first, "digest v1");
  // A rotation must change no code: a file that comes in again after a restore gets the codes that it had.
  const codeKey = derive(first, "transaction codes v1");
  const nonces = createNonces();
  const auditKeys = keys.map((master) => derive(master, "audit v1"));

  return {
    generation: keys.length,
    sign(generation, ...parts) {
      const auditKey = auditKeys[generation - 1];
      if (!auditKey) return null;
      const mac = createHmac("sha256", auditKey);
      for (const part of parts) mac.update(part);
      return mac.digest();
    },
    seal(text, place) {
      const nonce = nonces();
      const cipher = createCipheriv("aes-256-gcm", newest, nonce);
      cipher.setAAD(Buffer.from(place));
      const body = cipher.update(text, "utf8");
      const end = cipher.final();
      return Buffer.concat([Buffer.of(keys.length), nonce, cipher.getAuthTag(), body, end]);
    },
    open(sealed, place) {
      const sealKey = sealKeys[(sealed[0] ?? 0) - 1];
      if (!sealKey) throw new Error(`sealed with key ${sealed[0]}, which is not known here`);
      const bodyStart = 1 + NONCE_BYTES + TAG_BYTES;
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      // Without the length a tag that was cut to four bytes would do, and those can be guessed.
      const decipher = createDecipheriv("aes-256-gcm", sealKey, nonce, {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, bodyStart));
      return (
        decipher.update(sealed.subarray(bodyStart), undefined, "utf8") + decipher.final("utf8")
      );
    },
    digest: (text) => hmac(digestKey, text),
    codeDigest: (text) => hmac(codeKey, text),
    keyCheck: createHmac("sha256", derive(outer, "check v1"))
      .update("payrun")
      .digest("hex")
      .slice(0, 32),
  };
}

/** By way of hexadecimal: a buffer made in C++ costs more than the hash (measured: 4.2 against 2.7 µs). */
const hmac = (key: KeyObject, text: string): Buffer =>
  Buffer.from(createHmac("sha256", key).update(text).digest("hex"), "hex");

const keysIn = (ring: string, key: Secret): Buffer[] => {
  const keys: unknown = JSON.parse(createSealer(key).open(Buffer.from(ring, "base64"), RING_PLACE));
  if (!Array.isArray(keys)) throw new Error("the ledger's keys cannot be read");
  return keys.map((text) => readKey(String(text)));
};

/** The ring with one more key, which seals from now on, under another PAYRUN_KEY. */
export function rotatedRing(from: Secret, ring: string | null, to: Secret): string {
  const before = ring === null ? [readKey(from.reveal())] : keysIn(ring, from);
  if (before.length >= KEYS_MAX) throw new Error(`a ledger has at most ${KEYS_MAX} keys`);
  const keys = [...before, randomBytes(32)].map((key) => key.toString("hex"));
  return createSealer(to).seal(JSON.stringify(keys), RING_PLACE).toString("base64");
}

/** Random 96-bit nonces, drawn from a pool: one system call for many of them. */
function createNonces(): () => Buffer {
  let pool = Buffer.alloc(0);
  return () => {
    if (pool.length === 0) pool = randomBytes(NONCE_BYTES * 4_096);
    const nonce = pool.subarray(0, NONCE_BYTES);
    pool = pool.subarray(NONCE_BYTES);
    return nonce;
  };
}

/** Completes "must be …". */
export const KEY_FORM =
  "32 random bytes, as 64 hexadecimal digits or as Base64 (make one: openssl rand -hex 32)";

/** Random bytes have some 30 different values, and as many differences between neighbours. */
const DIFFERENT_MIN = 16;

/** Whether this text is a key that somebody drew. */
export function isKey(text: string): boolean {
  try {
    return !isGuessable(readKey(text));
  } catch {
    return false;
  }
}

/** Whether a key was typed or counted rather than drawn: zeros, a repeated pattern, a sequence, or a text. */
function isGuessable(key: Buffer): boolean {
  const steps = key.map((byte, at) => byte - (key[at - 1] ?? 0)).subarray(1);
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f);
  return [key, steps].some((bytes) => new Set(bytes).size < DIFFERENT_MIN) || isText;
}

/** @throws Error when the text is not 32 bytes in hexadecimal or Base64. */
export function readKey(text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  if (key.length !== 32) {
    throw new Error(`PAYRUN_KEY must be ${KEY_FORM}`);
  }
  return key;
}
