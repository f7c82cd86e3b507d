import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import { err, ok, type Result } from "#base/result.ts";

const inflate = promisify(inflateRaw);

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

const END = 0x06054b50;
const END_BYTES = 22;
const COMMENT_MAX = 0xffff;
const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const ENTRIES_MAX = 1_000;
/** The lowest bit of an entry's flags. */
const ENCRYPTED = 1;

export type ZipError = "too_large" | "locked" | "broken";

/**
 * Unpacks an archive only up to its limit, judged first by the sizes in its directory and then by
 * the actual output (F86). Each entry is passed to `look` and not retained.
 */
export async function unpackWithin(
  zip: Buffer,
  bytesMax: number,
  look: (entry: ZipEntry) => void,
): Promise<Result<true, ZipError>> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end < zip.length - END_BYTES - COMMENT_MAX || end + END_BYTES > zip.length) {
    return err("broken");
  }
  try {
    return await unpack(zip, end, bytesMax, look);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return err(code === "ERR_BUFFER_TOO_LARGE" ? "too_large" : "broken");
  }
}

async function unpack(
  zip: Buffer,
  end: number,
  bytesMax: number,
  look: (entry: ZipEntry) => void,
): Promise<Result<true, ZipError>> {
  const count = zip.readUInt16LE(end + 10);
  if (zip.readUInt32LE(end) !== END || count > ENTRIES_MAX) return err("broken");
  const entries = [];
  let said = 0;
  for (let at = zip.readUInt32LE(end + 16), left = count; left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== CENTRAL) return err("broken");
    if ((zip.readUInt16LE(at + 8) & ENCRYPTED) !== 0) return err("locked");
    const nameLength = zip.readUInt16LE(at + 28);
    const nameAt = at + CENTRAL_BYTES;
    said += zip.readUInt32LE(at + 24);
    entries.push({
      name: zip.toString("utf8", nameAt, nameAt + nameLength),
      method: zip.readUInt16LE(at + 10),
      packed: zip.readUInt32LE(at + 20),
      local: zip.readUInt32LE(at + 42),
    });
    at = nameAt + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  if (said > bytesMax) return err("too_large");

  let left = bytesMax;
  for (const { name, method, packed, local } of entries) {
    const start = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const body = zip.subarray(start, start + packed);
    if (method !== 0 && method !== 8) return err("broken");
    const bytes = method === 0 ? body : await inflate(body, { maxOutputLength: Math.max(left, 1) });
    left -= bytes.length;
    if (left < 0) return err("too_large");
    look({ name, bytes });
  }
  return ok(true);
}

/**
 * Builds an uncompressed archive of exactly these entries. A reader that walks from entry to entry
 * sees more than the directory lists and trusts the local headers, so it gets this archive of
 * verified parts instead (F86).
 */
export function storedZip(entries: readonly ZipEntry[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let start = 0;
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name);
    const central = Buffer.alloc(CENTRAL_BYTES);
    central.writeUInt32LE(CENTRAL, 0);
    central.writeUInt32LE(crc32(bytes), 16);
    central.writeUInt32LE(bytes.length, 20);
    central.writeUInt32LE(bytes.length, 24);
    central.writeUInt16LE(path.length, 28);
    central.writeUInt32LE(start, 42);
    const local = Buffer.alloc(LOCAL_BYTES);
    local.writeUInt32LE(LOCAL, 0);
    // From the CRC to the length of the name, both headers are equal.
    central.copy(local, 14, 16, 30);
    bodies.push(local, path, bytes);
    directory.push(central, path);
    start += LOCAL_BYTES + path.length + bytes.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...bodies, listed, end]);
}
