import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import {
  type ArchiveEntry,
  descriptor,
  directory,
  END_BYTES,
  endOf,
  type ListedFile,
  localHeader,
  readDirectory,
} from "#integrity/evidence-pack/archive.ts";
import { MANIFEST, PACK_FILES, SIGNATURE } from "#integrity/evidence-pack/manifest.ts";

/** Thrown when a pack is not exactly as an installation wrote it. */
export class PackError extends Error {}

/** @throws PackError with this text, unless the condition holds. */
export function check(holds: boolean, text: string): asserts holds {
  if (!holds) throw new PackError(text);
}

const DIRECTORY_BYTES_MAX = 65_536;
const EXPECTED = [...PACK_FILES, MANIFEST, SIGNATURE];

/** The size limit of a directory, and the names of the files that it must contain, in order. */
interface ArchiveShape {
  readonly bytesMax: number;
  readonly expected: (names: readonly string[]) => readonly string[];
}

const PACK: ArchiveShape = { bytesMax: DIRECTORY_BYTES_MAX, expected: () => EXPECTED };

/** Reads bytes of a file. Fewer: the file ends before. */
async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/**
 * Returns the entries of a pack after it has compared every byte outside their data with the only
 * value that the byte can have.
 *
 * @throws PackError if a byte differs, or a file is missing, unknown or in another place.
 */
export async function readArchive(
  file: FileHandle,
  { bytesMax, expected }: ArchiveShape = PACK,
): Promise<ReadonlyMap<string, ArchiveEntry>> {
  const { size } = await file.stat();
  const end = await readAt(file, Math.max(0, size - END_BYTES), END_BYTES);
  check(end.length === END_BYTES, "it is not a ZIP archive");
  const [length, start] = [end.readUInt32LE(12), end.readUInt32LE(16)];
  const isWhole = length <= bytesMax && start + length + END_BYTES === size;
  check(isWhole, "the archive is truncated, or data was added");
  const tail = await readAt(file, start, length + END_BYTES);
  const entries = readDirectory(tail.subarray(0, length));
  check(entries !== null, "the directory of the archive is damaged");
  const names = entries.map(({ name, method }) => `${name} ${method}`);
  const wanted = expected(entries.map(({ name }) => name));
  check(
    names.join() === wanted.map((name) => `${name} ${methodOf(name)}`).join(),
    `the archive must contain exactly ${wanted.slice(0, NAMED_MAX).join(", ")}, in this order`,
  );
  let offset = 0;
  for (const entry of entries) {
    check(entry.offset === offset, `${entry.name} is not where it belongs in the archive`);
    const [before, after] = [localHeader(entry), descriptor(entry)];
    offset = endOf(entry);
    const found = [
      await readAt(file, entry.offset, before.length),
      await readAt(file, offset - after.length, after.length),
    ];
    const isExact = found[0]?.equals(before) && found[1]?.equals(after);
    check(isExact === true, `the archive's header of ${entry.name} was changed`);
  }
  check(offset === start && tail.equals(directory(entries)), "the archive's directory was changed");
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** Maximum number of files that an error names. */
const NAMED_MAX = 10;

const methodOf = (name: string): ArchiveEntry["method"] =>
  name === MANIFEST || name === SIGNATURE ? "stored" : "deflated";

const dataOf = (entry: ArchiveEntry): { start: number; end: number } => {
  const start = entry.offset + localHeader(entry).length;
  return { start, end: start + entry.packed - 1 };
};

/** Returns a stored file of the pack. */
export async function storedContent(
  file: FileHandle,
  entry: ArchiveEntry,
  bytesMax = DIRECTORY_BYTES_MAX,
): Promise<Buffer> {
  const { name, size, packed, crc } = entry;
  check(size === packed && size <= bytesMax, `${name} has a wrong size`);
  const content = await readAt(file, dataOf(entry).start, size);
  check(crc32(content) === crc, `${name} was changed`);
  return content;
}

/** Returns the SHA-256 of the first bytes of a file. */
export async function digestOfStart(file: FileHandle, size: number): Promise<string> {
  const hash = createHash("sha256");
  if (size === 0) return hash.digest("hex");
  const start = file.createReadStream({ start: 0, end: size - 1, autoClose: false });
  for await (const piece of start as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest("hex");
}

/**
 * Yields the content of a compressed file in pieces.
 *
 * @throws PackError at its end, if it is not the file that the manifest lists.
 */
export async function* content(
  file: FileHandle,
  entry: ArchiveEntry,
  listed: ListedFile,
): AsyncGenerator<Buffer> {
  const packed = file.createReadStream({ ...dataOf(entry), autoClose: false });
  const unpacked = pipeline(packed, createInflateRaw(), () => {});
  const hash = createHash("sha256");
  let [size, crc] = [0, 0];
  for await (const piece of unpacked as AsyncIterable<Buffer>) {
    size += piece.length;
    check(size <= listed.size, `${entry.name} is longer than listed`);
    crc = crc32(piece, crc);
    hash.update(piece);
    yield piece;
  }
  const isListed = size === listed.size && size === entry.size && crc === entry.crc;
  check(isListed && hash.digest("hex") === listed.sha256, `${entry.name} was changed`);
}

/**
 * Returns the content of a small compressed file. Unlike `content`, it leaves nothing behind on the
 * open file, so that it can be called for thousands of files.
 *
 * @throws PackError if it is not the file that the manifest lists.
 */
export async function wholeContent(
  file: FileHandle,
  entry: ArchiveEntry,
  listed: ListedFile,
): Promise<Buffer> {
  const packed = await readAt(file, dataOf(entry).start, entry.packed);
  const unpacked = inflateRawSync(packed, { maxOutputLength: Math.max(1, listed.size) });
  const isListed =
    unpacked.length === listed.size &&
    unpacked.length === entry.size &&
    crc32(unpacked) === entry.crc &&
    createHash("sha256").update(unpacked).digest("hex") === listed.sha256;
  check(isListed, `${entry.name} was changed`);
  return unpacked;
}

/** Splits a text into its lines, without line feeds. */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  check(rest + decoder.decode() === "", "a file does not end with a line feed");
}
