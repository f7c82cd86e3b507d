import { describe, expect, test } from "vitest";
import { storedZip, unpackWithin, type ZipEntry } from "#intake/workbook/zip.ts";
import { type Entry, text, zipOf } from "./archive.ts";

const PLENTY = 1_000_000;

async function unpack(zip: Buffer, bytesMax = PLENTY) {
  const entries: ZipEntry[] = [];
  const result = await unpackWithin(zip, bytesMax, (entry) => entries.push(entry));
  return result.ok
    ? entries.map(({ name, bytes }) => `${name}: ${bytes.toString()}`)
    : result.error;
}
const ONE = text("one.xml", "the first");
const TWO = text("two.xml", "the second");
const BOTH = ["one.xml: the first", "two.xml: the second"];

describe("entries in order", () => {
  test.each<[string, readonly Entry[]]>([
    ["deflated", [ONE, TWO]],
    [
      "uncompressed",
      [
        { ...ONE, method: 0 },
        { ...TWO, method: 0 },
      ],
    ],
    ["with extra bytes after the name", [{ ...ONE, extra: "ab\x02\0cd" }, TWO]],
    ["with a comment in the directory", [{ ...ONE, remark: "about it" }, TWO]],
    [
      "with both",
      [
        { ...ONE, extra: "ab\x01\0c", remark: "about it" },
        { ...TWO, extra: "xy\0\0" },
      ],
    ],
  ])("%s", async (_, entries) => {
    expect(await unpack(zipOf(...entries))).toEqual(BOTH);
  });

  test("returns none for an empty archive", async () => {
    expect(await unpack(zipOf())).toEqual([]);
  });

  test("reads names in UTF-8", async () => {
    const name = "ü.xml";
    const latin = zipOf(text("ab.xml", "x"));
    const utf8 = Buffer.from(latin.toString("latin1").replaceAll("ab.xml", "Ã¼.xml"), "latin1");
    expect(await unpack(utf8)).toEqual([`${name}: x`]);
  });
});

test.each([1, 65_535, 100_000])("ignores %i bytes after the archive", async (bytes) => {
  const zip = Buffer.concat([zipOf(ONE), Buffer.alloc(bytes, "-")]);
  expect(await unpack(zip)).toEqual(["one.xml: the first"]);
});

describe("size limit", () => {
  const sized = (name: string, bytes: number, change: Partial<Entry> = {}): Entry => ({
    name,
    content: Buffer.alloc(bytes, "a"),
    ...change,
  });

  test("applies to all entries together", async () => {
    const zip = zipOf(sized("a", 60), sized("b", 40));
    expect(await unpack(zip, 100)).toHaveLength(2);
    expect(await unpack(zip, 99)).toBe("too_large");
  });

  test.each([
    ["larger than declared", { said: 1 }],
    ["smaller than declared", { said: 61 }],
    ["larger than declared and uncompressed", { said: 1, method: 0 }],
  ])("refuses an entry that is %s", async (_, change) => {
    expect(await unpack(zipOf(sized("a", 60, change)))).toBe("broken");
  });

  test("applies to the declared sizes before anything is unpacked", async () => {
    const looked: string[] = [];
    const zip = zipOf(sized("a", 10), sized("b", 10, { said: 91 }));
    const result = await unpackWithin(zip, 100, ({ name }) => looked.push(name));
    expect(result).toEqual({ ok: false, error: "too_large" });
    expect(looked).toEqual([]);
  });

  test("accepts an empty entry when no budget is left", async () => {
    expect(await unpack(zipOf(sized("a", 100), text("b", "")), 100)).toHaveLength(2);
  });

  test("reads a thousand entries", async () => {
    const entries = (count: number) => Array.from({ length: count }, (_, at) => text(`${at}`, ""));
    expect(await unpack(zipOf(...entries(1_000)))).toHaveLength(1_000);
    expect(await unpack(zipOf(...entries(1_001)))).toBe("broken");
  });
});

describe("damaged archives", () => {
  const zip = zipOf(ONE, TWO);
  const end = zip.length - 22;
  const directory = zip.readUInt32LE(end + 16);
  const changed = (change: (copy: Buffer) => void) => {
    const copy = Buffer.from(zip);
    change(copy);
    return copy;
  };
  test.each<[string, Buffer]>([
    ["nothing", Buffer.alloc(0)],
    ["no archive", Buffer.from("user_id,currency_code".repeat(100))],
    ["a truncated end record", zip.subarray(0, -1)],
    [
      "a directory that is not where the end record says",
      changed((copy) => copy.writeUInt32LE(directory + 1, end + 16)),
    ],
    ["a directory outside the file", changed((copy) => copy.writeUInt32LE(0xffff_fff0, end + 16))],
    ["more entries declared than present", changed((copy) => copy.writeUInt16LE(3, end + 10))],
    [
      "an entry outside the file",
      changed((copy) => copy.writeUInt32LE(0xffff_fff0, directory + 42)),
    ],
    ["an unknown compression method", zipOf({ ...ONE, method: 9 })],
    [
      "an entry with the bytes of another",
      changed((copy) => copy.fill(0xff, 30 + ONE.name.length, 40 + ONE.name.length)),
    ],
  ])("%s", async (_, bytes) => {
    expect(await unpack(bytes)).toBe("broken");
  });
});

test("reads back a written archive, which is not compressed", async () => {
  const entries = [ONE, TWO].map(({ name, content }) => ({ name, bytes: content }));
  const written = storedZip(entries);
  expect(await unpack(written)).toEqual(BOTH);
  for (const { content } of [ONE, TWO]) expect(written.includes(content)).toBe(true);
});
