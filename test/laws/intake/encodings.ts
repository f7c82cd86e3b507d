import { deepEqual, equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { openFile } from "#intake/file-reader.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { inChunks } from "../../support/samples.ts";
import { anyRows, csv, drafts, HEAD, HEADER, lines, read, ROW, SHARE } from "./csv-text.ts";
import { law } from "../base/law.ts";

const encoded = (text: string, encoding: string): Buffer => {
  const marked = encoding.endsWith("marked") ? `\ufeff${text}` : text;
  if (encoding.startsWith("utf8")) return Buffer.from(marked);
  const bytes = Buffer.from(marked, "utf16le");
  return encoding.startsWith("utf16be") ? bytes.swap16() : bytes;
};
const ENCODINGS = ["utf8", "utf8 marked", "utf16le", "utf16le marked", "utf16be marked"] as const;

/** Windows-1252 letters as bytes, except those whose bytes also begin a UTF-8 character. */
const western = fc.string({
  unit: fc.constantFrom(...Array.from("abc éèüßñçÀÜ€–’ŠŽÿ")),
  minLength: 1,
  maxLength: 20,
});
const HIGH: Readonly<Record<string, number>> = {
  "€": 0x80,
  "–": 0x96,
  "’": 0x92,
  Š: 0x8a,
  Ž: 0x8e,
  Ÿ: 0x9f,
};
const asWindows1252 = (text: string) =>
  Buffer.from([...text].map((char) => HIGH[char] ?? char.charCodeAt(0)));

/** Size of the product's read buffer. Content across its border must be read like any other. */
const BLOCK_BYTES = 65_536;
/** Two columns' worth of rows that end exactly at a byte of the file. */
function paddedTo(length: number, head: string): string {
  const row = `${"x".repeat(1_000)},,,,,,\n`;
  const missing = length - Buffer.byteLength(head);
  const rows = row.repeat(Math.floor(missing / row.length) - 1);
  return `${head}${rows}${"y".repeat(missing - rows.length - 7)},,,,,,\n`;
}
export const ENCODING_LAWS = [
  law(
    "encoding and byte order mark change nothing about the verdicts (F80)",
    fc.tuple(anyRows, fc.constantFrom(...ENCODINGS)),
    async ([rows, encoding]) => {
      const text = csv([HEADER, ...rows]);
      deepEqual((await read(encoded(text, encoding))).verdicts, (await read(text)).verdicts);
    },
    SHARE,
  ),
  law(
    "the way the bytes arrive changes nothing, even within a character",
    fc.tuple(anyRows, fc.constantFrom(...ENCODINGS), fc.integer({ min: 1, max: 40 })),
    async ([rows, encoding, size]) => {
      const bytes = encoded(csv([HEADER, ...rows]), encoding);
      deepEqual(await read(bytes, size), await read(bytes));
    },
    SHARE,
  ),
  law(
    "Windows-1252 is read as the same text in UTF-8 and reported as a guess (F80)",
    western,
    async (name) => {
      fc.pre(/[^ -~]/.test(name) && !/^\s|\s$/.test(name));
      fc.pre(!/\p{L}–\p{Ll}/u.test(name)); // a Macintosh writes ñ as that dash, which is refused
      const text = csv([HEADER, ROW.with(1, "PHP").with(3, name)]);
      const guessed = await read(asWindows1252(text));
      fc.pre(guessed.facts?.encoding === "Windows-1252");
      deepEqual(guessed.verdicts, (await read(text)).verdicts);
      deepEqual(
        guessed.fileProblems.map(({ code }) => code),
        ["encoding_guessed"],
      );
    },
    SHARE,
  ),
  law(
    "Windows-1252 with an undefined byte, or with UTF-8, is refused at its offset (F80)",
    fc.tuple(western, fc.constantFrom([0x81], [0x9d], [0xc3, 0xa9], [0xc2, 0xa0]), fc.nat(50)),
    async ([name, wrong, count]) => {
      fc.pre(/^[^ -~]/.test(name));
      const start = asWindows1252(
        csv([HEADER, ROW.with(3, `\u00e9 ${name} `)]) + csv([ROW]).repeat(count),
      );
      const file = await read(Buffer.concat([start, Buffer.from(wrong), Buffer.from("x\n")]));
      deepEqual(
        file.fileProblems.map(({ code }) => code),
        ["encoding_invalid"],
      );
      ok(file.fileProblems[0]?.message.includes(` ${start.length} `));
    },
    SHARE,
  ),
  law(
    "a byte that cannot be in UTF-8 is refused at its offset, wherever it is (F80)",
    fc.tuple(anyRows, fc.constantFrom(0xff, 0xc0, 0xf8), fc.nat()),
    async ([rows, byte, pick]) => {
      const before = Buffer.from(`\ufeff${csv([HEADER, ...rows])}`);
      const at = HEAD.length + 3 + (pick % (before.length - HEAD.length - 3));
      fc.pre(((before[at] ?? 0) & 0xc0) !== 0x80);
      const file = await read(
        Buffer.concat([before.subarray(0, at), Buffer.from([byte]), before.subarray(at)]),
      );
      deepEqual(
        file.fileProblems.map(({ code }) => code),
        ["encoding_invalid"],
      );
      ok(file.fileProblems[0]?.message.includes(` ${at} `));
    },
    SHARE,
  ),
  law(
    "content across two blocks is read like any other",
    fc.tuple(anyRows, fc.constantFrom("\n", "\r\n", "\r"), fc.nat(), fc.boolean()),
    async ([rows, lineEnd, pick, isMarked]) => {
      const after = csv([...rows, ROW.with(3, "")], ",", lineEnd);
      // At the hard places: after a line break, after a quote, or within a character.
      const bytes = Buffer.from(after);
      const places = [...bytes.keys()].filter(
        (at) => /[\r\n"\x80-\xff]/.test(after.charAt(at)) || (bytes[at] ?? 0) >= 0x80,
      );
      const back = (places[pick % places.length] ?? 0) + 1;
      const start = paddedTo(BLOCK_BYTES - back, isMarked ? `\ufeff${HEAD}` : HEAD);
      const file = await read(start + after);
      const alone = await read(HEAD + after);
      const fillers = file.verdicts.length - alone.verdicts.length;
      deepEqual(drafts(file).slice(fillers), drafts(alone));
      deepEqual(
        lines(file).slice(fillers),
        lines(alone).map((line) => line + fillers),
      );
    },
    SHARE / 2,
  ),
  law(
    "the encoding is detected alike wherever the blocks of the file end (F80)",
    fc.tuple(
      fc.constantFrom("é", "éa", "ü ", "éÃ\u0178", "éÂ\u00a0", "ß€"),
      fc.nat(6),
      fc.boolean(),
    ),
    async ([name, back, isUtf8]) => {
      const bytes = (text: string) => (isUtf8 ? Buffer.from(text) : asWindows1252(text));
      const start = paddedTo(BLOCK_BYTES - back, HEAD);
      const after = csv([
        ["MY-1", "MYR", "10.50", name, "5123456789", "MBB", "Maybank"].toSpliced(0, 1, name),
      ]);
      const [near, far] = [await read(bytes(start + after)), await read(bytes(HEAD + after))];
      equal(near.refused, far.refused);
      if (far.refused) return;
      equal(near.facts?.encoding, far.facts?.encoding);
      deepEqual(drafts(near).slice(-1), drafts(far).slice(-1));
    },
    SHARE,
  ),
  law(
    "the digest of a batch is that of the file's bytes",
    fc.tuple(anyRows, fc.constantFrom(...ENCODINGS), fc.nat(50)),
    async ([rows, encoding, size]) => {
      const bytes = encoded(csv([HEADER, ...rows, ROW]), encoding);
      const opened = await openFile(inChunks(bytes, size + 1), DEFAULT_ROW_SETTINGS);
      if (!opened.ok) throw new Error("refused");
      for await (const verdicts of opened.value.rows) ok(verdicts.length > 0);
      const end = opened.value.end();
      equal(end.ok && end.value.digest, createHash("sha256").update(bytes).digest("hex"));
    },
    SHARE,
  ),
];
