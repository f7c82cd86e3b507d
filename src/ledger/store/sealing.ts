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
import { keyedDigest } from "#ledger/store/keys/keyed-digest.ts";
import { PASSING_FORMAT, SUBJECT_FORMAT, SubjectKeys } from "#ledger/store/keys/subject-keys.ts";
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
  /** @throws Erased if the key was destroyed; Error if key, place and text do not match. */
  open(sealed: Buffer, place: string): string;
  /** Seals data of a person under a key of its own, which an erasure destroys. */
  readonly subjects: SubjectKeys;
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
 * Maximum number of keys. The first byte of a sealed text is the number of the key that opens it;
 * 0 is a text under the key of its subject, 255 one under PAYRUN_KEY.
 */
const KEYS_MAX = 254;
const RING_PLACE = "settings key_ring";

/**
 * @param key PAYRUN_KEY: 32 bytes as 64 hexadecimal digits or as Base64.
 * @param ring the ledger's keys, sealed under PAYRUN_KEY. Null: PAYRUN_KEY was never rotated and is
 * the only key itself.
 */
export function createSealer(key: Secret, ring: string | null = null): Sealer {
  const outer = readKey(key.reveal());
  const keys = ring === null ? [derivedKeys(outer)] : keysIn(ring, key);
  const [newest] = keys.slice(-1);
  // Lookup digests were written with the first key, and are stored in append-only tables. Nor must
  // a rotation change codes: a file that is uploaded again after a restore gets the same codes.
  const [first] = keys;
  if (!newest || !first) throw new Error("a ledger has at least one key");
  const nonces = createNonces();
  const subjects = new SubjectKeys((use) => derive(outer, use), nonces);
  const packKeys = () => keys.map(({ pack }) => ed25519Key(pack));

  return {
    generation: keys.length,
    subjects,
    sign(generation, ...parts) {
      const auditKey = keys[generation - 1]?.audit;
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
      const cipher = createCipheriv("aes-256-gcm", newest.seal, nonce);
      cipher.setAAD(Buffer.from(place));
      const body = cipher.update(text, "utf8");
      const end = cipher.final();
      return Buffer.concat([Buffer.of(keys.length), nonce, cipher.getAuthTag(), body, end]);
    },
    open(sealed, place) {
      if (sealed[0] === SUBJECT_FORMAT) return subjects.open(sealed, place);
      if (sealed[0] === PASSING_FORMAT) return subjects.openPassing(sealed, place);
      const sealKey = keys[(sealed[0] ?? 0) - 1]?.seal;
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
    digest: keyedDigest(first.digest),
    codeDigest: keyedDigest(first.codes),
    keyCheck: createHmac("sha256", derive(outer, "check v1"))
      .update("payrun")
      .digest("hex")
      .slice(0, 32),
  };
}

/**
 * Derives the key of one use. Key objects instead of bytes: Node 24 seals three times as fast with
 * them (measured).
 */
const derive = (master: Buffer, use: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", master, "", `payrun ${use}`, 32)));

/** The keys that are derived from one key of the ledger, by use. */
const USES = {
  seal: "seal v1",
  digest: "digest v1",
  codes: "transaction codes v1",
  audit: "audit v1",
  pack: "evidence pack v1",
} as const;
type Use = keyof typeof USES;
type LedgerKey = Readonly<Record<Use, KeyObject>>;

const keysBy = (keyOf: (use: Use) => KeyObject): LedgerKey => ({
  seal: keyOf("seal"),
  digest: keyOf("digest"),
  codes: keyOf("codes"),
  audit: keyOf("audit"),
  pack: keyOf("pack"),
});

const derivedKeys = (master: Buffer): LedgerKey => keysBy((use) => derive(master, USES[use]));

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
 * A key of the ledger in its ring: 64 hexadecimal digits, or only the derived keys. The
 * ring never contains a PAYRUN_KEY, because the old one must not open the key tree in a backup.
 */
type RingEntry = string | Readonly<Record<Use, string>>;

function entriesIn(ring: string, key: Secret): RingEntry[] {
  const text = createSealer(key).open(Buffer.from(ring, "base64"), RING_PLACE);
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) throw new Error("the ledger's keys cannot be decrypted");
  return entries as RingEntry[];
}

const keysIn = (ring: string, key: Secret): LedgerKey[] =>
  entriesIn(ring, key).map((entry) =>
    typeof entry === "string"
      ? derivedKeys(readKey(entry))
      : keysBy((use) => createSecretKey(readKey(entry[use]))),
  );

const derivedEntry = (master: Buffer): RingEntry => {
  const keys = derivedKeys(master);
  const hex = (use: Use): string => keys[use].export().toString("hex");
  return {
    seal: hex("seal"),
    digest: hex("digest"),
    codes: hex("codes"),
    audit: hex("audit"),
    pack: hex("pack"),
  };
};

/**
 * Returns the ring with one more key, which seals from now on, under another PAYRUN_KEY.
 *
 * @throws Error if the other PAYRUN_KEY was used before: it could open backups.
 */
export function rotatedRing(from: Secret, ring: string | null, to: Secret): string {
  const before = ring === null ? [derivedEntry(readKey(from.reveal()))] : entriesIn(ring, from);
  if (before.length >= KEYS_MAX) throw new Error(`a ledger has at most ${KEYS_MAX} keys`);
  const next = readKey(to.reveal());
  const known = new Set([next.toString("hex"), derive(next, USES.seal).export().toString("hex")]);
  const isUsed = before.some((entry) => known.has(typeof entry === "string" ? entry : entry.seal));
  if (isUsed || next.equals(readKey(from.reveal()))) throw new KeyUsed();
  return createSealer(to)
    .seal(JSON.stringify([...before, randomBytes(32).toString("hex")]), RING_PLACE)
    .toString("base64");
}

/** Thrown when a ledger is rotated to a key that it had before. */
export class KeyUsed extends Error {
  constructor() {
    super("The new PAYRUN_KEY was used for this ledger before. Create another one.");
  }
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
