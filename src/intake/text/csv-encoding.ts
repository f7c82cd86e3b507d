import { type Problem, problem } from "#intake/text/problems.ts";
import { err, ok, type Result } from "#base/result.ts";

export type Encoding = "UTF-8" | "UTF-8 with BOM" | "UTF-16LE" | "UTF-16BE" | "Windows-1252";

/**
 * Converts a file's bytes to UTF-8, block by block. No byte is ever replaced: an invalid byte ends
 * the file with its offset.
 *
 * A byte order mark decides the encoding. Without one, a zero byte next to the first character
 * means UTF-16. Otherwise the first byte above 0x7f decides: if a well-formed UTF-8 character
 * starts there, the whole file is UTF-8, else it is Windows-1252. Windows-1252 text that contains
 * apparent UTF-8 is refused: it is a mixture of both, and guessing would corrupt names.
 */
export interface Decoder {
  /** The encoding detected so far. A file of plain ASCII counts as UTF-8. */
  readonly encoding: Encoding;
  decode(block: Buffer, last: boolean): Result<Buffer, Problem>;
}

/**
 * Creates a decoder for a file. Err: this is not a readable text file.
 * @param head the first block of the file.
 */
export function decoderFor(head: Buffer): Result<Decoder, Problem> {
  if (startsWith(head, ...OLE) && head.includes(ENCRYPTED_ENTRY))
    return err(problem("workbook_locked"));
  const kind = otherKind(head);
  if (kind !== undefined) return err(problem("file_not_text", {}, { kind }));
  if (startsWith(head, 0xef, 0xbb, 0xbf)) return ok(utf8Or1252Decoder("UTF-8 with BOM", 3));
  if (startsWith(head, 0xff, 0xfe)) return ok(utf16Decoder("UTF-16LE", 2));
  if (startsWith(head, 0xfe, 0xff)) return ok(utf16Decoder("UTF-16BE", 2));
  const [first = 1, second = 1] = head;
  if (head.length >= 4 && first !== 0 && second === 0 && head[3] === 0)
    return ok(utf16Decoder("UTF-16LE", 0));
  if (head.length >= 4 && first === 0 && second !== 0 && head[2] === 0)
    return ok(utf16Decoder("UTF-16BE", 0));
  return ok(utf8Or1252Decoder("UTF-8", 0));
}

const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** The entry name under which an OLE file stores an encrypted workbook. */
const ENCRYPTED_ENTRY = Buffer.from("EncryptedPackage", "utf16le");

function otherKind(head: Buffer): string | undefined {
  const notText = NOT_TEXT.find(({ starts }) => startsWith(head, ...starts));
  if (notText) return notText.kind;
  // In UTF-16 each of these letters has a zero byte next to it.
  const text = head.toString("latin1", 0, 4_096).replaceAll("\0", "");
  return MARKED_UP.find(({ starts }) => starts.test(text))?.kind;
}

/**
 * File contents that programs save with the file name of a spreadsheet, after the byte order mark
 * of any encoding.
 */
const MARKED_UP = [
  {
    starts: /^(?:ÿþ|þÿ|ï»¿)?\s*<(?:!doctype\s+html|html|table)[\s>]/i,
    kind: "a web page (HTML), despite its file name",
  },
  {
    starts: /^(?:ÿþ|þÿ|ï»¿)?\s*<\?xml[^]*<(?:\w+:)?Workbook[\s/>]/,
    kind: "an Excel 2003 XML spreadsheet",
  },
  {
    starts: /^(?:ÿþ|þÿ|ï»¿)?\s*<\?xml[^]*<office:document[\s/>]/,
    kind: "a flat OpenDocument file (FODS)",
  },
  { starts: /^(?:ÿþ|þÿ|ï»¿)?\s*<\?xml\s/, kind: "an XML file, such as a bank payment file" },
  { starts: /^(?:ÿþ|þÿ|ï»¿)?\s*(?:\[\s*)?\{\s*"/, kind: "a JSON file" },
];

/** Files that people upload by mistake, by their first bytes. */
const NOT_TEXT = [
  {
    starts: Buffer.from([0x50, 0x4b, 0x03, 0x04]),
    kind: "a spreadsheet (XLSX or ODS) or a ZIP archive",
  },
  {
    starts: Buffer.from(OLE),
    kind: "an old Excel file (XLS), or a password-protected workbook",
  },
  { starts: Buffer.from([0x1f, 0x8b]), kind: "a compressed file (gzip)" },
  { starts: Buffer.from("%PDF-"), kind: "a PDF" },
  { starts: Buffer.from("{\\rtf"), kind: "a text document (RTF)" },
  { starts: Buffer.from([0x89, 0x50, 0x4e, 0x47]), kind: "an image (PNG)" },
  { starts: Buffer.from([0xff, 0xd8, 0xff]), kind: "an image (JPEG)" },
  { starts: Buffer.from("GIF8"), kind: "an image (GIF)" },
  { starts: Buffer.from([0x37, 0x7a, 0xbc, 0xaf]), kind: "a compressed archive (7z)" },
  { starts: Buffer.from("Rar!"), kind: "a compressed archive (RAR)" },
  { starts: Buffer.from([0xff, 0xfe, 0x00, 0x00]), kind: "a UTF-32 file" },
];

const startsWith = (bytes: Buffer, ...start: readonly number[]) =>
  start.every((byte, i) => bytes[i] === byte);

/** Decodes UTF-8, or Windows-1252 from the first byte that cannot be UTF-8. */
function utf8Or1252Decoder(assumed: "UTF-8" | "UTF-8 with BOM", markBytes: number): Decoder {
  let encoding: Encoding = assumed;
  let decided = markBytes > 0;
  let offset = markBytes;
  let carry: Buffer | null = null;

  return {
    get encoding() {
      return encoding;
    },
    decode(block, last) {
      const bytes: Buffer = carry ? Buffer.concat([carry, block]) : block.subarray(markBytes);
      const { invalid, ascii } =
        encoding === "Windows-1252" ? { invalid: -1, ascii: false } : scanUtf8(bytes, last);
      if (!decided && !ascii) {
        if (invalid >= 0 && invalid === bytes.findIndex((byte) => byte >= 0x80))
          encoding = "Windows-1252";
        decided = true;
      }
      if (encoding === "Windows-1252") {
        const wrong = firstNotWindows1252(bytes);
        if (wrong >= 0) return err(encodingProblem("UTF-8 or Windows-1252", offset + wrong));
      } else if (invalid >= 0) {
        return err(encodingProblem("UTF-8", offset + invalid));
      }
      // The incomplete tail is buffered in either encoding: only the following bytes show whether
      // it is UTF-8.
      const tail = last ? 0 : unfinishedTail(bytes);
      const whole = bytes.subarray(0, bytes.length - tail);
      carry = Buffer.from(bytes.subarray(whole.length));
      offset += whole.length;
      return ok(encoding === "Windows-1252" ? fromWindows1252(whole) : whole);
    },
  };
}

function utf16Decoder(encoding: "UTF-16LE" | "UTF-16BE", markBytes: number): Decoder {
  const decoder = new TextDecoder(encoding.toLowerCase(), { fatal: true, ignoreBOM: true });
  let offset = markBytes;
  let carry: Buffer | null = null;
  return {
    encoding,
    decode(block, last) {
      const bytes: Buffer = carry ? Buffer.concat([carry, block]) : block.subarray(markBytes);
      // Half of a character waits for its other half. Otherwise its offset would be lost with the
      // block.
      const whole = bytes.subarray(0, last ? bytes.length : wholeUtf16(bytes, encoding));
      carry = Buffer.from(bytes.subarray(whole.length));
      const start = offset;
      offset += whole.length;
      try {
        return ok(Buffer.from(decoder.decode(whole)));
      } catch {
        return err(encodingProblem(encoding, firstInvalidUtf16(whole, encoding) + start));
      }
    },
  };
}

const encodingProblem = (encoding: string, offset: number) =>
  problem("encoding_invalid", {}, { encoding, offset });

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Returns the offset of the first character that is not well-formed UTF-8, or -1. An incomplete
 * last character counts only at the end of the file.
 */
function scanUtf8(
  bytes: Buffer,
  last: boolean,
): { readonly invalid: number; readonly ascii: boolean } {
  try {
    const whole = last ? bytes : bytes.subarray(0, bytes.length - unfinishedTail(bytes));
    return { invalid: -1, ascii: UTF_8.decode(whole).length === whole.length };
  } catch {
    let at = 0;
    for (let length = 1; at < bytes.length && length > 0; at += length)
      length = utf8LengthAt(bytes, at);
    return { invalid: at, ascii: false };
  }
}

/**
 * Returns the length in bytes of the character that starts here (Unicode, table 3-7), or 0 if none
 * does.
 */
function utf8LengthAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = sequenceLength(first);
  try {
    return [...UTF_8.decode(bytes.subarray(at, at + length))].length === 1 ? length : 0;
  } catch {
    return 0;
  }
}

/** Returns the length in bytes of a character that starts with this non-ASCII byte. */
const sequenceLength = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2);

/**
 * Returns how many bytes at the end may be the start of a character that the next block completes.
 */
function unfinishedTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < sequenceLength(byte) ? back : 0;
  }
  return 0;
}

const unitAt = (bytes: Buffer, at: number, encoding: "UTF-16LE" | "UTF-16BE"): number =>
  encoding === "UTF-16LE" ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);

/**
 * Returns how many bytes form complete characters, as far as is known without the following bytes.
 */
function wholeUtf16(bytes: Buffer, encoding: "UTF-16LE" | "UTF-16BE"): number {
  const units = bytes.length - (bytes.length % 2);
  const unit = units > 0 ? unitAt(bytes, units - 2, encoding) : 0;
  return unit >= 0xd800 && unit <= 0xdbff ? units - 2 : units;
}

/**
 * Returns the offset of the first lone surrogate in bytes that do not decode, or their length if
 * only the last unit is incomplete.
 */
function firstInvalidUtf16(bytes: Buffer, encoding: "UTF-16LE" | "UTF-16BE"): number {
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const unit = unitAt(bytes, at, encoding);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = at + 3 < bytes.length ? unitAt(bytes, at + 2, encoding) : 0;
    if (unit > 0xdbff || next < 0xdc00 || next > 0xdfff) return at;
    at += 2;
  }
  return bytes.length;
}

/**
 * Windows-1252 characters 0x80 to 0x9f, with NUL where the code page has no character. The rest
 * equals Latin-1.
 */
const WINDOWS_1252_HIGH = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";

/**
 * Returns the offset of the first byte that has no character, or of Ã or Â followed by what UTF-8
 * puts after it: text that already was UTF-8.
 */
function firstNotWindows1252(bytes: Buffer): number {
  return bytes.findIndex((byte, i) => {
    if (byte < 0x80) return false;
    if (byte < 0xa0) return WINDOWS_1252_HIGH[byte - 0x80] === "\0";
    const next = bytes[i + 1] ?? 0;
    return (byte === 0xc2 || byte === 0xc3) && next >= 0x80 && next <= 0xbf;
  });
}

/**
 * Encodes a text in Windows-1252. Null: it contains a character that Windows-1252 lacks. Where the
 * code page has no character, programs use the control character with that number.
 */
export function windows1252Bytes(text: string): Buffer | null {
  const bytes = Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code <= 0xff) return code;
    const high = WINDOWS_1252_HIGH.indexOf(char);
    return high < 0 ? null : 0x80 + high;
  });
  return bytes.includes(null) ? null : Buffer.from(bytes.map(Number));
}

function fromWindows1252(bytes: Buffer): Buffer {
  const text = bytes
    .toString("latin1")
    .replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252_HIGH[char.charCodeAt(0) - 0x80] ?? "");
  return Buffer.from(text);
}
