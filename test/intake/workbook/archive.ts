import { crc32, deflateRawSync } from "node:zlib";

export interface Entry {
  readonly name: string;
  readonly content: Buffer;
  /** An archive may declare a wrong size, both in its directory and before the entry. */
  readonly said?: number;
  readonly saidBefore?: number;
  /** An archive may contain entries that its directory does not list. */
  readonly isHidden?: boolean;
  /** Compression method: 8 is deflate, 0 is none. */
  readonly method?: number;
  /** The lowest bit marks an encrypted entry. */
  readonly flags?: number;
  /** Extra bytes after the name, in the directory and before the entry. */
  readonly extra?: string;
  /** Comment in the directory. */
  readonly remark?: string;
}

export const text = (name: string, content: string): Entry => ({
  name,
  content: Buffer.from(content),
});

export function zipOf(...entries: readonly Entry[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let start = 0;
  for (const entry of entries) {
    const { name, content, said = content.length, saidBefore = said, method = 8 } = entry;
    const extra = Buffer.from(entry.extra ?? "");
    const remark = Buffer.from(entry.remark ?? "");
    const packed = method === 0 ? content : deflateRawSync(content);
    /** Fields that the directory and the entry share, except for the size. */
    const facts = (size: number) => {
      const bytes = Buffer.alloc(26);
      bytes.writeUInt16LE(entry.flags ?? 0, 2);
      bytes.writeUInt16LE(method, 4);
      bytes.writeUInt32LE(crc32(content), 10);
      bytes.writeUInt32LE(packed.length, 14);
      bytes.writeUInt32LE(size, 18);
      bytes.writeUInt16LE(name.length, 22);
      bytes.writeUInt16LE(extra.length, 24);
      return bytes;
    };
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    facts(saidBefore).copy(local, 4);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    facts(said).copy(central, 6);
    central.writeUInt16LE(remark.length, 32);
    central.writeUInt32LE(start, 42);
    const body = Buffer.concat([local, Buffer.from(name), extra, packed]);
    bodies.push(body);
    if (!entry.isHidden) directory.push(Buffer.concat([central, Buffer.from(name), extra, remark]));
    start += body.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...bodies, listed, end]);
}
