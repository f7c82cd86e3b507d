/**
 * Files as spreadsheets, scripts, editors and accidents produce them, in any number, each from its
 * own seed.
 */

/** mulberry32: a small generator whose numbers depend only on the seed. */
function numbersFrom(seed: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const REQUIRED = ["user_id", "currency_code", "transaction_amount", "account_name"];
const MORE_NAMES = [
  "bank_code",
  "BANK NAME",
  "reference",
  "note",
  "",
  " ",
  "User-ID",
  "a;b",
  "a,b,c,d,e,f",
  "a;b;c;d;e;f",
  "two\nlines",
  'say "x"',
  "naïve",
];
const DELIMITERS = [",", ";", "\t"];
const LINE_ENDS = ["\n", "\r\n", "\r"];
const ENCODINGS = [
  "utf8",
  "utf8",
  "utf8",
  "utf8 marked",
  "latin1",
  "latin1",
  "utf16le",
  "utf16le marked",
  "utf16be",
  "utf16be marked",
] as const;
const CELLS = [
  "U-1",
  "INR",
  "100.00",
  "Asha Verma",
  "",
  "",
  " ",
  "João",
  "Ã©",
  "Â",
  "é",
  "𝒜",
  "日本",
  "\u0096",
  "\0",
  "\ufeff",
  "\u2028",
  "'",
  "sep=;",
  "1,5",
  "a;b",
  "a\tb",
  "#x",
  "\\",
  "x\n",
  "\r",
  "a\r\nb",
  'say "hi"',
  '"',
  '""',
  "'\"'",
];
/** Output of a careless program: quotes with another meaning. */
const BROKEN_CELLS = ['a"b', '"a"b', '"a', 'a"', ' "a"', '"a" ', '"a""', '"', '"\n'];
const NOISE = ['"', "\n", "\r", ",", ";", "\t", "\0", "é", "\u0080", "\ud800"];

/** Size of the product's read buffer. Every hundredth file has something odd across its border. */
const BLOCK_BYTES = 65_536;

export function uglyFile(seed: number): Buffer {
  const number = numbersFrom(seed);
  const below = (count: number) => Math.floor(number() * count);
  const oneOf = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  const chance = (part: number) => number() < part;

  const delimiter = oneOf(DELIMITERS);
  const mainEnd = oneOf(LINE_ENDS);
  const lineEnd = () => (chance(0.05) ? oneOf(LINE_ENDS) : mainEnd);
  const isClean = chance(0.7);

  const cell = (text: string): string => {
    if (!isClean && chance(0.05)) return oneOf(BROKEN_CELLS);
    const mustQuote = text.includes(delimiter) || /["\r\n]/.test(text);
    return (mustQuote && (isClean || chance(0.95))) || chance(0.1)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  };
  const line = (cells: readonly string[]) => cells.map(cell).join(delimiter) + lineEnd();

  const names = [...REQUIRED];
  while (chance(0.4)) names.splice(below(names.length + 1), 0, oneOf(MORE_NAMES));
  if (chance(0.03)) names.splice(below(names.length), 1);
  if (chance(0.5)) names.sort(() => number() - 0.5);

  let head = chance(0.05)
    ? `sep=${chance(0.8) ? delimiter : oneOf(["|", ",", "é"])}${lineEnd()}`
    : "";
  while (chance(0.05)) head += lineEnd();
  head += line(
    names.map((name) =>
      chance(0.1) ? name.toUpperCase().replaceAll("_", oneOf([" ", "-", "_"])) : name,
    ),
  );

  let rows = "";
  for (let left = below(5); left >= 0; left--) {
    if (chance(0.05)) rows += chance(0.5) ? lineEnd() : line(names.map(() => oneOf(["", " "])));
    const width = chance(0.1) ? below(names.length + 3) : names.length;
    rows += line(Array.from({ length: width }, () => oneOf(CELLS)));
  }
  if (chance(0.5)) rows = rows.replace(/[\r\n]+$/, "");

  const encoding = oneOf(ENCODINGS);
  const filler = chance(0.01)
    ? fillerTo(BLOCK_BYTES - below(60), head, encoding, names.length, delimiter)
    : "";
  let bytes = encoded(head + filler + rows, encoding);
  for (let left = isClean ? 0 : below(3); left > 0; left--)
    bytes = damaged(bytes, below, oneOf(NOISE));
  return bytes;
}

/** Rows of many cells that move the following content to the wanted byte of the file. */
function fillerTo(
  at: number,
  head: string,
  encoding: string,
  width: number,
  delimiter: string,
): string {
  const unit = encoding.startsWith("utf16") ? 2 : 1;
  const missing = Math.floor((at - encoded(head, encoding).length) / unit);
  const row = `${"x".repeat(4_000)}${delimiter.repeat(width - 1)}\n`;
  const rows = row.repeat(Math.floor(missing / row.length) - 1);
  return `${rows}${"y".repeat(missing - rows.length - width)}${delimiter.repeat(width - 1)}\n`;
}

function encoded(text: string, encoding: string): Buffer {
  if (encoding === "latin1") return Buffer.from(text, "latin1");
  const marked = encoding.endsWith("marked") ? `\ufeff${text}` : text;
  if (encoding.startsWith("utf8")) return Buffer.from(marked);
  const bytes = Buffer.from(marked, "utf16le");
  return encoding.startsWith("utf16be") ? bytes.swap16() : bytes;
}

/** Overwrites, cuts out or inserts one place of a file. */
function damaged(bytes: Buffer, below: (count: number) => number, noise: string): Buffer {
  const at = below(bytes.length + 1);
  const put = Buffer.from(noise, below(2) === 0 ? "utf8" : "latin1");
  return Buffer.concat([
    bytes.subarray(0, at),
    below(3) === 0 ? Buffer.alloc(0) : put,
    bytes.subarray(at + below(3)),
  ]);
}
