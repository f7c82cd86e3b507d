import { buffer } from "node:stream/consumers";
import { zipSync } from "fflate";
import { type Entry, fromBufferPromise } from "yauzl";
import { err, ok, type Result } from "#base/result.ts";

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

const ENTRIES_MAX = 1_000;
const END = Buffer.from("PK\x05\x06");
const END_BYTES = 22;

export type ZipError = "too_large" | "locked" | "broken";

/**
 * Unpacks an archive only up to its limit (F86). The sizes in its directory decide before the first
 * entry is unpacked, and an entry of another size than declared is "broken". Each entry is passed
 * to `look` and not retained.
 *
 * @param bytesMax maximum size of all unpacked entries together.
 */
export async function unpackWithin(
  zip: Buffer,
  bytesMax: number,
  look: (entry: ZipEntry) => void,
): Promise<Result<true, ZipError>> {
  try {
    // Names stay raw: yauzl would refuse the absolute paths and backslashes that some programs
    // write.
    const options = { decodeStrings: false, validateEntrySizes: true };
    const archive = await fromBufferPromise(withoutTail(zip), options);
    if (archive.entryCount > ENTRIES_MAX) return err("broken");
    const entries: Entry[] = [];
    for await (const entry of archive.eachEntry()) entries.push(entry);
    if (entries.some((entry) => entry.isEncrypted())) return err("locked");
    const declared = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (declared > bytesMax) return err("too_large");
    for (const entry of entries) {
      const bytes = await buffer(await archive.openReadStreamPromise(entry));
      look({ name: entry.fileNameRaw.toString("utf8"), bytes });
    }
    return ok(true);
  } catch {
    return err("broken");
  }
}

/** Removes bytes after the archive, which other readers of workbooks ignore and yauzl refuses. */
function withoutTail(zip: Buffer): Buffer {
  const end = zip.lastIndexOf(END);
  if (end < 0 || end + END_BYTES > zip.length) return zip;
  return zip.subarray(0, end + END_BYTES + zip.readUInt16LE(end + END_BYTES - 2));
}

/**
 * Builds an uncompressed archive of exactly these entries. A reader that walks from entry to entry
 * sees more than the directory lists and trusts the local headers, so it gets this archive of
 * verified parts instead (F86).
 */
export const storedZip = (entries: readonly ZipEntry[]): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes])), { level: 0 }),
  );
