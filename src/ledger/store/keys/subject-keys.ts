import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import {
  decodeShard,
  encodeShard,
  KeyTree,
  shardNumber,
  shardPath,
  SHARDS,
} from "#ledger/store/keys/key-tree.ts";

/** Bytes of a subject: a beneficiary's account, a payer, or one rejected row. */
const SUBJECT_BYTES = 6;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BODY_START = 1 + SUBJECT_BYTES + NONCE_BYTES + TAG_BYTES;

/** First byte of a text that is sealed under the key of its subject. */
export const SUBJECT_FORMAT = 0;
/** First byte of a text that is sealed under PAYRUN_KEY itself. */
export const PASSING_FORMAT = 255;

/** Bytes of the mark that replaces a sealed text of an erased person: only the format. */
const MARK_BYTES = 1;

/** Thrown when the key of a sealed text was destroyed. */
export class Erased extends Error {
  constructor() {
    super("the person of this data was erased");
  }
}

/** Number of the shard that has the key of the search terms. */
const TERM_SHARD = SHARDS;

/** One shard of the key tree, sealed under PAYRUN_KEY. */
export interface SealedShard {
  readonly shard: number;
  readonly version: number;
  readonly sealed: Buffer;
}

/**
 * The keys of the subjects of a ledger. They are derived from PAYRUN_KEY until the first erasure or
 * rotation, and stored from then on. This object is shared by a process and always holds the newest
 * tree that the process has read.
 */
export class SubjectKeys {
  /** Seals the shards. It is no key of the ledger, which a rotation keeps. */
  readonly #outer: KeyObject;
  readonly #passing: KeyObject;
  readonly #nonces: () => Buffer;
  #tree: KeyTree;
  #version = 0;
  /** True if this ledger seals under these keys. Otherwise they only open. */
  isUsed = false;
  #termKey: KeyObject;

  constructor(derive: (use: string) => KeyObject, nonces: () => Buffer) {
    this.#outer = derive("key tree v1");
    this.#passing = derive("passing data v1");
    this.#nonces = nonces;
    this.#termKey = derive("search terms v1");
    const first = derive("subject keys v1").export();
    this.#tree = new KeyTree(
      Array.from({ length: SHARDS }, (_, shard) => {
        const secret = hash("sha256", Buffer.concat([first, Buffer.of(shard)]), "binary");
        return new Map([[shardPath(shard), secret]]);
      }),
    );
  }

  /** Number of the latest erasure that this process knows. */
  get version(): number {
    return this.#version;
  }

  /**
   * Seals a text under the key of its subject. A subject that was erased gets a new key.
   *
   * @param subject at least 6 bytes that identify the subject.
   */
  seal(subject: Buffer, text: string, place: string): Buffer {
    const { id, key } = this.#newestKey(subject);
    const nonce = this.#nonces();
    const cipher = createCipheriv("aes-256-gcm", createSecretKey(key), nonce);
    cipher.setAAD(Buffer.from(place));
    const body = cipher.update(text, "utf8");
    const end = cipher.final();
    const head = Buffer.of(SUBJECT_FORMAT);
    return Buffer.concat([head, Buffer.from(id, "hex"), nonce, cipher.getAuthTag(), body, end]);
  }

  /** Seals a text under a key of its own. */
  sealAlone(text: string, place: string): Buffer {
    return this.seal(this.#nonces(), text, place);
  }

  /**
   * Seals a text that can be changed or deleted, such as a saved search. A rotation must seal it
   * again: no later PAYRUN_KEY opens it.
   */
  sealPassing(text: string, place: string): Buffer {
    return Buffer.concat([
      Buffer.of(PASSING_FORMAT),
      sealBytes(this.#passing, this.#nonces(), Buffer.from(text), place),
    ]);
  }

  /** @throws Error if PAYRUN_KEY was rotated since, or the text is damaged. */
  openPassing(sealed: Buffer, place: string): string {
    return openBytes(this.#passing, sealed.subarray(1), place).toString();
  }

  #newestKey(subject: Buffer): { readonly id: string; readonly key: Buffer } {
    let id = subject.toString("hex", 0, SUBJECT_BYTES);
    for (let times = 1; ; times += 1) {
      const key = this.#tree.keyOf(id);
      if (key !== null) return { id, key };
      id = hash("sha256", Buffer.concat([subject, Buffer.of(times)])).slice(0, 2 * SUBJECT_BYTES);
    }
  }

  /** @throws Erased if the key was destroyed; Error if key, place and text do not match. */
  open(sealed: Buffer, place: string): string {
    const subject = subjectOf(sealed);
    const key = subject === null ? null : this.#tree.keyOf(subject);
    if (key === null) throw new Erased();
    const nonceStart = 1 + SUBJECT_BYTES;
    const tagStart = nonceStart + NONCE_BYTES;
    const nonce = sealed.subarray(nonceStart, tagStart);
    // Without the length, a tag cut to four bytes would be accepted.
    const decipher = createDecipheriv("aes-256-gcm", createSecretKey(key), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(sealed.subarray(tagStart, BODY_START));
    return decipher.update(sealed.subarray(BODY_START), undefined, "utf8") + decipher.final("utf8");
  }

  /**
   * Returns the shards to store after the keys of these subjects are destroyed: all shards if none
   * is stored yet.
   */
  withoutSubjects(subjects: readonly string[]): readonly SealedShard[] {
    const version = this.#version + 1;
    const tree = this.#tree.without(subjects);
    const changed = new Set(subjects.map(shardNumber));
    return this.#sealAll(tree, this.#termKey, this.#outer, version).filter(
      ({ shard }) => this.#version === 0 || changed.has(shard),
    );
  }

  /**
   * Returns all shards, sealed under another PAYRUN_KEY.
   *
   * @param renewTerms true: search terms get another key, and must be written again.
   */
  underKey(other: SubjectKeys, renewTerms: boolean): readonly SealedShard[] {
    const version = Math.max(this.#version, 1);
    const termKey = renewTerms ? createSecretKey(randomBytes(32)) : this.#termKey;
    return this.#sealAll(this.#tree, termKey, other.#outer, version);
  }

  /** Returns the keyed digest of a search term, in hexadecimal. */
  digestTerm(text: string): string {
    return createHmac("sha256", this.#termKey).update(text).digest("hex");
  }

  #sealAll(tree: KeyTree, termKey: KeyObject, key: KeyObject, version: number): SealedShard[] {
    const contents = [...tree.shards.map(encodeShard), termKey.export()];
    return contents.map((content, shard) => {
      const place = shardPlace(shard, version);
      return { shard, version, sealed: sealBytes(key, this.#nonces(), content, place) };
    });
  }

  /** Replaces the keys by stored ones. @throws Error if they do not open. */
  load(stored: readonly SealedShard[]): void {
    const shards = [...this.#tree.shards];
    for (const each of stored) {
      const content = openBytes(this.#outer, each.sealed, shardPlace(each.shard, each.version));
      if (each.shard === TERM_SHARD) this.#termKey = createSecretKey(content);
      else shards[each.shard] = decodeShard(content);
    }
    this.#tree = new KeyTree(shards);
    this.#version = Math.max(this.#version, ...stored.map(({ version }) => version));
  }
}

/**
 * Returns the subject of a sealed text. Null: only the mark of an erased text is left, or the text
 * is sealed under a key of the ledger.
 */
export const subjectOf = (sealed: Buffer): string | null =>
  sealed.length === MARK_BYTES || sealed[0] !== SUBJECT_FORMAT
    ? null
    : sealed.toString("hex", 1, 1 + SUBJECT_BYTES);

const shardPlace = (shard: number, version: number): string => `key_tree ${shard} ${version}`;

function sealBytes(key: KeyObject, nonce: Buffer, content: Buffer, place: string): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function openBytes(key: KeyObject, sealed: Buffer, place: string): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const bodyStart = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, bodyStart));
  return Buffer.concat([decipher.update(sealed.subarray(bodyStart)), decipher.final()]);
}
