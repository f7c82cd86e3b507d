import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

/** A file of an evidence pack as it is written, and its content in pieces. */
export interface PackFile {
  readonly name: string;
  readonly content: AsyncIterable<string>;
}

/** Size in bytes and SHA-256 of a file, as the manifest lists them. */
export interface ListedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/** The place of a file in the archive. */
export interface ArchiveEntry {
  readonly name: string;
  readonly method: "stored" | "deflated";
  readonly crc: number;
  /** Sizes in bytes, in the archive and unpacked. */
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** Thrown for a pack that would need the 64-bit form of ZIP. */
export class PackTooLargeError extends Error {}

export const END_BYTES = 22;
const BYTES_MAX = 0xff_ff_ff_ff;
const VERSION = 20;
/** Bit 3: the sizes follow the data, because they are not known before. */
const SIZES_AFTER = 8;
/** 1980-01-01 00:00, so that the archive depends only on its content. */
const DATE = 0x21;

const numbers = (...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    fields.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );

/** The fields that a local header and a central header have in common, up to the sizes. */
const common = (method: ArchiveEntry["method"]): Buffer =>
  method === "deflated"
    ? numbers([2, VERSION], [2, SIZES_AFTER], [2, 8], [2, 0], [2, DATE])
    : numbers([2, VERSION], [2, 0], [2, 0], [2, 0], [2, DATE]);

const sizes = ({ crc, packed, size }: Pick<ArchiveEntry, "crc" | "packed" | "size">): Buffer =>
  numbers([4, crc], [4, packed], [4, size]);

type Headed = Omit<ArchiveEntry, "offset">;

/** Returns the bytes before the data of an entry. */
export const localHeader = (entry: Headed): Buffer =>
  Buffer.concat([
    numbers([4, 0x04_03_4b_50]),
    common(entry.method),
    entry.method === "deflated" ? Buffer.alloc(12) : sizes(entry),
    numbers([2, entry.name.length], [2, 0]),
    Buffer.from(entry.name, "ascii"),
  ]);

/** Returns the bytes after the data of an entry. */
export const descriptor = (entry: Headed): Buffer =>
  entry.method === "deflated"
    ? Buffer.concat([numbers([4, 0x08_07_4b_50]), sizes(entry)])
    : Buffer.alloc(0);

const centralHeader = (entry: ArchiveEntry): Buffer =>
  Buffer.concat([
    numbers([4, 0x02_01_4b_50], [2, VERSION]),
    common(entry.method),
    sizes(entry),
    numbers([2, entry.name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, entry.offset]),
    Buffer.from(entry.name, "ascii"),
  ]);

/** Returns the bytes after all entries: the central directory and the record at the end. */
export function directory(entries: readonly ArchiveEntry[]): Buffer {
  const central = Buffer.concat(entries.map(centralHeader));
  const last = entries.at(-1);
  const start = last ? endOf(last) : 0;
  const end = numbers(
    [4, 0x06_05_4b_50],
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, central.length],
    [4, start],
    [2, 0],
  );
  return Buffer.concat([central, end]);
}

/** Returns the offset of the first byte after an entry. */
export const endOf = (entry: ArchiveEntry): number =>
  entry.offset + localHeader(entry).length + entry.packed + descriptor(entry).length;

/** Returns the entries of a central directory. Null: these bytes are not one. */
export function readDirectory(central: Buffer): ArchiveEntry[] | null {
  const entries: ArchiveEntry[] = [];
  for (let at = 0; at < central.length; ) {
    if (at + 46 > central.length) return null;
    const nameLength = central.readUInt16LE(at + 28);
    entries.push({
      name: central.toString("latin1", at + 46, at + 46 + nameLength),
      method: central.readUInt16LE(at + 10) === 0 ? "stored" : "deflated",
      crc: central.readUInt32LE(at + 16),
      packed: central.readUInt32LE(at + 20),
      size: central.readUInt32LE(at + 24),
      offset: central.readUInt32LE(at + 42),
    });
    at += 46 + nameLength;
  }
  return entries;
}

/**
 * Writes an archive piece by piece. Every byte of it follows from its content, so that a verifier
 * can recompute all bytes that are not content.
 */
export class ArchiveWriter {
  readonly #entries: ArchiveEntry[] = [];
  readonly #hash = createHash("sha256");
  #offset = 0;

  /** Size in bytes and SHA-256 of everything written so far. */
  written(): { readonly size: number; readonly sha256: string } {
    return { size: this.#offset, sha256: this.#hash.copy().digest("hex") };
  }

  /** Yields a compressed file, and returns how the manifest lists it. */
  async *deflated({ name, content }: PackFile): AsyncGenerator<Buffer, ListedFile> {
    const offset = this.#offset;
    const hash = createHash("sha256");
    const sums = { crc: 0, packed: 0, size: 0 };
    const entry = () => ({ name, method: "deflated" as const, ...sums });
    async function* counted() {
      for await (const piece of pieces(content)) {
        hash.update(piece);
        sums.crc = crc32(piece, sums.crc);
        sums.size += piece.length;
        yield piece;
      }
    }
    yield this.#count(localHeader(entry()));
    const packed = pipeline(Readable.from(counted()), createDeflateRaw(), () => {});
    for await (const piece of packed as AsyncIterable<Buffer>) {
      sums.packed += piece.length;
      yield this.#count(piece);
    }
    if (sums.size > BYTES_MAX) throw new PackTooLargeError(`${name} has more than 4 GiB`);
    yield this.#count(descriptor(entry()));
    this.#entries.push({ ...entry(), offset });
    return { name, size: sums.size, sha256: hash.digest("hex") };
  }

  /** Yields a file as it is. */
  *stored(name: string, content: Buffer): Generator<Buffer> {
    const { length } = content;
    const method = "stored" as const;
    const entry = { name, method, crc: crc32(content), packed: length, size: length };
    this.#entries.push({ ...entry, offset: this.#offset });
    yield this.#count(localHeader(entry));
    yield this.#count(content);
  }

  /** Returns the last bytes of the archive. */
  end(): Buffer {
    return this.#count(directory(this.#entries));
  }

  #count(bytes: Buffer): Buffer {
    this.#offset += bytes.length;
    if (this.#offset > BYTES_MAX) throw new PackTooLargeError("the pack has more than 4 GiB");
    this.#hash.update(bytes);
    return bytes;
  }
}

const PIECE_CHARS = 65_536;

/** Joins short texts, because each piece costs a call of the compressor. */
async function* pieces(content: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = "";
  for await (const each of content) {
    text += each;
    if (text.length < PIECE_CHARS) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}
