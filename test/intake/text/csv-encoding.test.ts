import { describe, expect, test } from "vitest";
import { decoderFor } from "#intake/text/csv-encoding.ts";
import type { Problem } from "#intake/text/problems.ts";

type Read = { readonly text: string; readonly encoding: string } | Problem;

/** Reads the blocks as one file. */
function readBlocks(...blocks: readonly Buffer[]): Read {
  const made = decoderFor(blocks[0] ?? Buffer.alloc(0));
  if (!made.ok) return made.error;
  const parts: Buffer[] = [];
  for (const [i, block] of blocks.entries()) {
    const part = made.value.decode(block, i === blocks.length - 1);
    if (!part.ok) return part.error;
    parts.push(part.value);
  }
  return { text: Buffer.concat(parts).toString(), encoding: made.value.encoding };
}

/**
 * The bytes in two blocks, split at every position that leaves the first block long enough for
 * detection.
 */
const parted = (bytes: Buffer): readonly (readonly [Buffer, Buffer])[] =>
  Array.from(bytes.subarray(4), (_, i) => [bytes.subarray(0, 4 + i), bytes.subarray(4 + i)]);

const refusal = (encoding: string, offset: number) => ({
  code: "encoding_invalid",
  message: `The bytes at offset ${offset} are not valid ${encoding}.`,
});
const utf16 = (text: string, encoding: string): Buffer => {
  const bytes = Buffer.from(text, "utf16le");
  return encoding === "UTF-16BE" ? bytes.swap16() : bytes;
};

/** A text whose first non-ASCII letter is a Windows-1252 letter, followed by these bytes. */
const western = (...bytes: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from("user,\u00e9x,", "latin1"), Buffer.from(bytes)]);

const TEXT = "user,\u00e9\u07ff\u0800€\ud7ff\ue000\uffff𝒜\u{10ffff},é";

describe("reads the same text wherever the blocks end", () => {
  test.each([
    ["UTF-8", Buffer.from(TEXT)],
    ["UTF-8 with BOM", Buffer.from(`\ufeff${TEXT}`)],
    ["UTF-16LE", utf16(TEXT, "UTF-16LE")],
    ["UTF-16LE", utf16(`\ufeff${TEXT}`, "UTF-16LE")],
    ["UTF-16BE", utf16(TEXT, "UTF-16BE")],
    ["UTF-16BE", utf16(`\ufeff${TEXT}`, "UTF-16BE")],
  ])("%s", (encoding, bytes) => {
    expect(readBlocks(bytes)).toEqual({ text: TEXT, encoding });
    for (const blocks of parted(bytes))
      expect(readBlocks(...blocks)).toEqual({ text: TEXT, encoding });
  });

  test("every letter of Windows-1252", () => {
    const letters = Uint8Array.from({ length: 128 }, (_, i) => 0x80 + i);
    const known = letters.filter((byte) => ![0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte));
    const bytes = western(...known);
    const text = new TextDecoder("windows-1252").decode(bytes);
    expect(readBlocks(bytes)).toEqual({ text, encoding: "Windows-1252" });
    for (const blocks of parted(bytes))
      expect(readBlocks(...blocks)).toEqual({ text, encoding: "Windows-1252" });
  });
});

test.each(["", "a", "ab", "a,b", "é"])("reads %j as UTF-8, however short", (text) => {
  expect(readBlocks(Buffer.from(text))).toEqual({ text, encoding: "UTF-8" });
});

test.each([
  ["three bytes of which the second is zero", [0x61, 0, 0x62], "UTF-8"],
  ["three bytes of which the first is zero", [0, 0x61, 0], "UTF-8"],
  ["a zero next to the first character only", [0x61, 0, 0x62, 0x63], "UTF-8"],
  ["a zero before the first character only", [0, 0x61, 0x62, 0x63], "UTF-8"],
  ["a zero next to the second character only", [0x61, 0x62, 0x63, 0], "UTF-8"],
  ["a zero before the second character only", [0x61, 0x62, 0, 0x63], "UTF-8"],
  ["zeros alone", [0, 0, 0, 0], "UTF-8"],
  ["two characters followed by zeros", [0x61, 0, 0x62, 0], "UTF-16LE"],
  ["two characters preceded by zeros", [0, 0x61, 0, 0x62], "UTF-16BE"],
])("F80 detects %s: %j is %s", (_what, bytes, encoding) => {
  expect(readBlocks(Buffer.from(bytes))).toMatchObject({ encoding });
});

/** Unicode, table 3-7: invalid sequences next to valid ones, and truncated ones. */
// biome-ignore format: the columns are the point
const NOT_UTF_8 = [
  [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc2, 0x41], [0xdf, 0xc0], [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80],
  [0xef, 0xbf, 0x41], [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff],
];
const CUT = [[0xc3], [0xe2, 0x82], [0xf0], [0xf0, 0x9f, 0x92]];

describe("F80 refuses bytes that are not UTF-8 at their offset, wherever the blocks end", () => {
  test.each(NOT_UTF_8.map((bytes) => [bytes]))("%j", (wrong) => {
    for (const [start, offset] of [
      ["\ufeffuser,", 8],
      ["user,é€𝒜", 14],
    ] as const) {
      const bytes = Buffer.concat([Buffer.from(start), Buffer.from(wrong), Buffer.from(",x")]);
      expect(readBlocks(bytes)).toMatchObject(refusal("UTF-8", offset));
      for (const blocks of parted(bytes))
        expect(readBlocks(...blocks)).toMatchObject(refusal("UTF-8", offset));
    }
  });

  test.each(CUT.map((bytes) => [bytes]))("%j at the end", (cut) => {
    const bytes = Buffer.concat([Buffer.from("\ufeffuser,"), Buffer.from(cut)]);
    expect(readBlocks(bytes)).toMatchObject(refusal("UTF-8", 8));
    for (const blocks of parted(bytes))
      expect(readBlocks(...blocks)).toMatchObject(refusal("UTF-8", 8));
  });
});

describe("F80 refuses bytes that are not Windows-1252 at their offset", () => {
  test.each([
    ...[0x81, 0x8d, 0x8f, 0x90, 0x9d].map((byte) => [byte]),
    [0xc2, 0x80],
    [0xc2, 0xbf],
    [0xc3, 0x80],
    [0xc3, 0xbf],
  ])("%i %i", (...wrong) => {
    const bytes = western(...wrong, 0x78);
    expect(readBlocks(bytes)).toMatchObject(refusal("UTF-8 or Windows-1252", 8));
    for (const blocks of parted(bytes))
      expect(readBlocks(...blocks)).toMatchObject(refusal("UTF-8 or Windows-1252", 8));
  });

  test.each([[0xc1, 0x80], [0xc4, 0xbf], [0xc2, 0x7f], [0xc3, 0xc0], [0xc3]])(
    "accepts %i %i",
    (...bytes) => {
      const right = western(...bytes);
      expect(readBlocks(right)).toMatchObject({ encoding: "Windows-1252" });
    },
  );
});

describe("refuses half of a UTF-16 character at its offset", () => {
  const HIGH = "\ud835";
  const LOW = "\udc9c";

  test.each(["UTF-16LE", "UTF-16BE"])("%s", (encoding) => {
    for (const [text, place] of [
      [`ab${HIGH}cd`, 2],
      [`ab${LOW}cd`, 2],
      [`ab${HIGH}${HIGH}${LOW}`, 2],
      [`ab${HIGH}${LOW}${LOW}c`, 4],
      [`ab${HIGH}\ue000`, 2],
      [`ab\ud7ff\ue000\udfff`, 4],
      [`ab${HIGH}`, 2],
    ] as const) {
      for (const mark of ["", "\ufeff"]) {
        const bytes = utf16(mark + text, encoding);
        const refused = refusal(encoding, 2 * (mark.length + place));
        expect(readBlocks(bytes)).toMatchObject(refused);
        for (const blocks of parted(bytes)) expect(readBlocks(...blocks)).toMatchObject(refused);
        for (const [one, two] of parted(bytes.subarray(4)))
          expect(readBlocks(bytes.subarray(0, 4), one, two)).toMatchObject(refused);
      }
    }
    const cut = Buffer.concat([utf16("abc", encoding), Buffer.from("d")]);
    expect(readBlocks(cut)).toMatchObject(refusal(encoding, cut.length));
  });
});

test.each([
  ["PK\x03\x04", "a spreadsheet (XLSX or ODS) or a ZIP archive"],
  ["\xd0\xcf\x11\xe0", "an old Excel file (XLS), or a password-protected workbook"],
  ["\x1f\x8b", "a compressed file (gzip)"],
  ["%PDF-", "a PDF"],
  ["{\\rtf1", "a text document (RTF)"],
  ["\x89PNG\r\n", "an image (PNG)"],
  ["\xff\xd8\xff\xe0", "an image (JPEG)"],
  ["GIF89a", "an image (GIF)"],
  ["7z\xbc\xaf\x27\x1c", "a compressed archive (7z)"],
  ["Rar!\x1a", "a compressed archive (RAR)"],
  ["\xff\xfe\0\0", "a UTF-32 file"],
])("F86 identifies a file that starts with %j as %s", (start, kind) => {
  const bytes = Buffer.from(`${start}and more`, "latin1");
  expect(readBlocks(bytes)).toMatchObject({
    code: "file_not_text",
    message: `This file is ${kind}, not a CSV or XLSX file.`,
  });
  expect(readBlocks(bytes.subarray(1))).not.toMatchObject({ code: "file_not_text" });
});

test("recognises a password-protected workbook by its table of contents", () => {
  const contents = Buffer.concat([Buffer.alloc(1_500), Buffer.from("EncryptedPackage", "utf16le")]);
  const ole = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
  expect(readBlocks(Buffer.concat([ole, contents]))).toMatchObject({ code: "workbook_locked" });
  expect(readBlocks(contents)).not.toMatchObject({ code: "workbook_locked" });
});

const HTML = "a web page (HTML), despite its file name";
const XML = "an Excel 2003 XML spreadsheet";
const OTHER_XML = "an XML file, such as a bank payment file";
const JSON_FILE = "a JSON file";
const FODS = "a flat OpenDocument file (FODS)";

describe("a file saved with a spreadsheet's name but other content", () => {
  test.each([
    ["<html><table>", HTML],
    ["\r\n \t<HTML xmlns:x='x'>", HTML],
    ["<table border=1>", HTML],
    ["<!DOCTYPE html>\n<html>", HTML],
    ["\ufeff<html>", HTML],
    ['<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="x">', XML],
    ['\ufeff<?xml version="1.0"?><ss:Workbook>', XML],
    ['<?xml version="1.0"?><Workbook/>', XML],
    ['<?xml version="1.0"?>\n<office:document xmlns:office="x">', FODS],
    ['<?xml version="1.0"?><Workbooks>', OTHER_XML],
    ['<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="pain.001">', OTHER_XML],
    ['{"user_id":1}', JSON_FILE],
    ['\ufeff[\n  { "user_id": 1 }', JSON_FILE],
  ])("%j", (start, kind) => {
    const message = `This file is ${kind}, not a CSV or XLSX file.`;
    for (const bytes of [
      Buffer.from(start),
      utf16(`\ufeff${start.replace("\ufeff", "")}`, "UTF-16LE"),
    ]) {
      expect(readBlocks(bytes)).toMatchObject({ code: "file_not_text", message });
    }
  });

  test.each(["<htmlx>", "user_id,<html>", "<tables>", "<?xmls>", "[user_id],{name}", "<Workbook>"])(
    "reads %j as text",
    (start) => {
      expect(readBlocks(Buffer.from(start))).toMatchObject({ text: start });
    },
  );
});
