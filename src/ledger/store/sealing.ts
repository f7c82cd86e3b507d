import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import type { Secret } from "#base/secret.ts";

/**
 * Encrypts beneficiary details at rest: AES-256-GCM under a key that PAYRUN_KEY opens, with the
 * transaction code as associated data, so that a sealed text cannot be copied to another payout.
 * Lookup digests are keyed (HMAC), because account numbers have too little entropy for a plain
 * hash.
 */
export interface Sealer {
  /**
   * @param place table, column and row, bound to the text. It can be opened only with the same
   * place.
   */
  seal(text: string, place: string): Buffer;
  /** @throws Error if key, place and text do not match. */
  open(sealed: Buffer, place: string): string;
  /**
   * Returns 32 bytes. Equal texts have equal digests, and nobody without the key can test texts.
   */
  digest(text: string): Buffer;
  /**
   * Like `digest`, under a separate key, for transaction codes. It does not change when PAYRUN_KEY
   * is rotated.
   */
  codeDigest(text: string): Buffer;
  /** Number of keys of the ledger. The last one seals and signs. */
  readonly generation: number;
  /**
   * Signs a line of the audit log with a key of the ledger (HMAC-SHA-256). Null: this process lacks
   * that key.
   */
  sign(generation: number, ...parts: readonly (string | Buffer)[]): Buffer | null;
  /** Signs an evidence pack with the last of the Ed25519 keys (64 bytes). */
  signPack(manifest: Buffer): Buffer;
  /**
   * Returns the public Ed25519 keys of the installation in hexadecimal: one for each key of the
   * ledger, oldest first.
   */
  publicKeys(): string[];
  /**
   * Identifies the key without revealing it. It is stored in the ledger, to refuse a wrong
   * PAYRUN_KEY at startup.
   */
  readonly keyCheck: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/**
 * Maximum number of keys. The first byte of a sealed text is the number of the key that opens it.
 */
const KEYS_MAX = 255;
const RING_PLACE = "settings key_ring";

/**
 * @param key PAYRUN_KEY: 32 bytes as 64 hexadecimal digits or as Base64.
 * @param ring the ledger's keys, sealed under PAYRUN_KEY. Null: PAYRUN_KEY was never rotated and is
 * the only key itself.
 */
export function createSealer(key: Secret, ring: string | null = null): Sealer {
  const outer = readKey(key.reveal());
  const keys = ring === null ? [outer] : keysIn(ring, key);
  // Key objects instead of bytes: Node 24 seals three times as fast with them (measured).
  const derive = (master: Buffer, use: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync("sha256", master, "", `payrun ${use}`, 32)));
  const sealKeys = keys.map((master) => derive(master, "seal v1"));
  const [newest] = sealKeys.slice(-1);
  const [first] = keys;
  if (!newest || !first) throw new Error("a ledger has at least one key");
  // Lookup digests were written with the first key, and are stored in append-only tables.
  const digestKey = derive(first, "digest v1");
  // A rotation must not change codes: a file that is uploaded again after a restore gets the same
  // codes.
  const codeKey = derive(first, "transaction codes v1");
  const nonces = createNonces();
  const auditKeys = keys.map((master) => derive(master, "audit v1"));
  const packKeys = () => keys.map((master) => ed25519Key(derive(master, "evidence pack v1")));

  return {
    generation: keys.length,
    sign(generation, ...parts) {
      const auditKey = auditKeys[generation - 1];
      if (!auditKey) return null;
      const mac = createHmac("sha256", auditKey);
      for (const part of parts) mac.update(part);
      return mac.digest();
    },
    signPack: (manifest) => sign(null, manifest, packKeys().at(-1) as KeyObject),
    publicKeys: () =>
      packKeys().map((key) => {
        const spki = createPublicKey(key).export({ format: "der", type: "spki" });
        return spki.subarray(-PUBLIC_KEY_BYTES).toString("hex");
      }),
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
      if (!sealKey)
        throw new Error(`encrypted with key ${sealed[0]}, which this ledger does not have`);
      const bodyStart = 1 + NONCE_BYTES + TAG_BYTES;
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      // Without the length, a tag cut to four bytes would be accepted, and such a tag can be
      // guessed.
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

const PUBLIC_KEY_BYTES = 32;
/** PKCS #8 before the 32 bytes of an Ed25519 private key. */
const PRIVATE_KEY_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

const ed25519Key = (seed: KeyObject): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PRIVATE_KEY_PREFIX, seed.export()]),
    format: "der",
    type: "pkcs8",
  });

/**
 * Uses hexadecimal text, because a buffer created in C++ costs more than the hash (measured: 4.2 µs
 * and 2.7 µs).
 */
const hmac = (key: KeyObject, text: string): Buffer =>
  Buffer.from(createHmac("sha256", key).update(text).digest("hex"), "hex");

const keysIn = (ring: string, key: Secret): Buffer[] => {
  const keys: unknown = JSON.parse(createSealer(key).open(Buffer.from(ring, "base64"), RING_PLACE));
  if (!Array.isArray(keys)) throw new Error("the ledger's keys cannot be decrypted");
  return keys.map((text) => readKey(String(text)));
};

/** Returns the ring with one more key, which seals from now on, under another PAYRUN_KEY. */
export function rotatedRing(from: Secret, ring: string | null, to: Secret): string {
  const before = ring === null ? [readKey(from.reveal())] : keysIn(ring, from);
  if (before.length >= KEYS_MAX) throw new Error(`a ledger has at most ${KEYS_MAX} keys`);
  const keys = [...before, randomBytes(32)].map((key) => key.toString("hex"));
  return createSealer(to).seal(JSON.stringify(keys), RING_PLACE).toString("base64");
}

/**
 * Returns a source of random 96-bit nonces, taken from a pool. One system call fills the pool with
 * many nonces.
 */
function createNonces(): () => Buffer {
  let pool = Buffer.alloc(0);
  return () => {
    if (pool.length === 0) pool = randomBytes(NONCE_BYTES * 4_096);
    const nonce = pool.subarray(0, NONCE_BYTES);
    pool = pool.subarray(NONCE_BYTES);
    return nonce;
  };
}

/** Completes the sentence "must be …". */
export const KEY_FORM =
  "32 random bytes, as 64 hexadecimal digits or in Base64 (to create them: openssl rand -hex 32)";

/** Random bytes have about 30 different values, and as many differences between neighbours. */
const DIFFERENT_MIN = 16;

/** Returns whether this text is a randomly generated key. */
export function isKey(text: string): boolean {
  try {
    return !isGuessable(readKey(text));
  } catch {
    return false;
  }
}

/**
 * Returns whether a key was typed or counted instead of generated: zeros, a repeated pattern, a
 * sequence, or a text.
 */
function isGuessable(key: Buffer): boolean {
  const steps = key.map((byte, at) => byte - (key[at - 1] ?? 0)).subarray(1);
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f);
  return [key, steps].some((bytes) => new Set(bytes).size < DIFFERENT_MIN) || isText;
}

/** @throws Error if the text is not 32 bytes in hexadecimal or Base64. */
export function readKey(text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  if (key.length !== 32) {
    throw new Error(`PAYRUN_KEY must be ${KEY_FORM}`);
  }
  return key;
}
