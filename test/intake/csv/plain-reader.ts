/**
 * A second CSV reader to compare the first with, written only from the rules (RFC 4180, README.md
 * and docs/decisions/0011, 0012 and 0013), character by character, without shared code. It is slow
 * and keeps the whole file in memory.
 */

export interface PlainReading {
  readonly encoding: string;
  readonly delimiter: string;
  readonly records: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

const KNOWN = new Set(
  (
    "userid accountname bankaccountnumber ifsccode bankcode bankname branchcode phonenumber address " +
    "currencycode transactionamount transactioncode payoutcode callbackurl reference"
  ).split(" "),
);
const REQUIRED = ["userid", "currencycode", "transactionamount", "accountname"];
const COLUMNS_MAX = 200;

/** Rows of the file with their starting lines. Null: the file must be refused. */
export function readPlainly(bytes: Uint8Array): PlainReading | null {
  const decoded = textOf(bytes);
  if (!decoded) return null;
  const { encoding, text } = decoded;

  const sep = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/i.exec(text);
  if (sep && !",;\t".includes(sep[1] ?? "")) return null;
  let start = sep?.[0].length ?? 0;
  while (text[start] === "\r" || text[start] === "\n") start++;
  if (start === text.length) return null;

  let best: { delimiter: string; known: number; names: readonly string[]; end: number } | null =
    null;
  for (const delimiter of sep?.[1] ?? ",;\t") {
    const head = recordAt(text, start, delimiter);
    if (!head) continue;
    const names = head.cells.map((name) => name.toLowerCase().replace(/[\s_-]+/gu, ""));
    const known = names.filter((name) => KNOWN.has(name)).length;
    const isBetter =
      !best || known > best.known || (known === best.known && names.length > best.names.length);
    if (isBetter) best = { delimiter, known, names, end: head.end };
  }
  if (!best || best.names.length > COLUMNS_MAX) return null;
  const { delimiter, names } = best;
  const filled = names.filter((name) => name !== "");
  if (new Set(filled).size < filled.length) return null;
  if (!REQUIRED.every((name) => filled.includes(name))) return null;

  const records: { line: number; cells: readonly string[] }[] = [];
  let line = 1 + breaksIn(text.slice(0, best.end));
  for (let at = best.end; at < text.length; ) {
    const record = recordAt(text, at, delimiter);
    if (!record) return null;
    const cells = record.cells.map((cell) => cell.replaceAll("\0", "\u2400"));
    if (cells.some((cell) => cell.trim() !== "")) {
      const surplus = cells.slice(names.length);
      const isEmptyTail = surplus.every((cell) => cell.trim() === "");
      records.push({ line, cells: isEmptyTail ? cells.slice(0, names.length) : cells });
    }
    line += breaksIn(text.slice(at, record.end));
    at = record.end;
  }
  return records.length === 0 ? null : { encoding, delimiter, records };
}

const breaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** One record. Null: a quote is inside a cell, is followed by more of the cell, or never closes. */
function recordAt(text: string, start: number, delimiter: string) {
  const cells: string[] = [];
  let at = start;
  while (true) {
    let cell = "";
    const isQuoted = text[at] === '"';
    if (isQuoted) {
      at++;
      while (text[at] !== '"' || text[at + 1] === '"') {
        if (at >= text.length) return null;
        if (text[at] === '"') at++;
        cell += text[at];
        at++;
      }
      at++;
    }
    // The NUL is the row's own problem and says more than a misplaced quote.
    if (!isQuoted || text[at] === "\0") {
      while (at < text.length && !`${delimiter}\r\n`.includes(text[at] ?? "")) {
        if (text[at] === '"') return null;
        cell += text[at];
        at++;
      }
    }
    cells.push(cell);
    if (text[at] === delimiter) at++;
    else if (at === text.length) return { cells, end: at };
    else if (text[at] === "\n") return { cells, end: at + 1 };
    else if (text[at] === "\r") return { cells, end: text[at + 1] === "\n" ? at + 2 : at + 1 };
    else return null;
  }
}

const NOT_TEXT = [
  "PK\u0003\u0004",
  "\u00d0\u00cf\u0011\u00e0",
  "\u001f\u008b",
  "%PDF-",
  "\u00ff\u00fe\0\0",
];

function textOf(bytes: Uint8Array): { readonly encoding: string; readonly text: string } | null {
  const latin = Buffer.from(bytes).toString("latin1");
  if (NOT_TEXT.some((start) => latin.startsWith(start))) return null;
  const [a, b, c, d] = bytes;
  if (latin.startsWith("\u00ef\u00bb\u00bf"))
    return strict("UTF-8 with BOM", "utf-8", bytes.subarray(3));
  if (latin.startsWith("\u00ff\u00fe")) return strict("UTF-16LE", "utf-16le", bytes.subarray(2));
  if (latin.startsWith("\u00fe\u00ff")) return strict("UTF-16BE", "utf-16be", bytes.subarray(2));
  if (bytes.length >= 4 && a !== 0 && b === 0 && d === 0)
    return strict("UTF-16LE", "utf-16le", bytes);
  if (bytes.length >= 4 && a === 0 && b !== 0 && c === 0)
    return strict("UTF-16BE", "utf-16be", bytes);

  const first = bytes.findIndex((byte) => byte >= 0x80);
  const isUtf8 =
    first < 0 || [2, 3, 4].some((length) => isOneCharacter(bytes.subarray(first, first + length)));
  if (isUtf8) return strict("UTF-8", "utf-8", bytes);
  // A byte that Windows-1252 does not define, or UTF-8 of Western letters misread as it: a mixture
  // of both.
  if (/[\x81\x8d\x8f\x90\x9d]|[\xc2\xc3][\x80-\xbf]/.test(latin)) return null;
  return { encoding: "Windows-1252", text: new TextDecoder("windows-1252").decode(bytes) };
}

function strict(encoding: string, label: string, bytes: Uint8Array) {
  try {
    return {
      encoding,
      text: new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes),
    };
  } catch {
    return null;
  }
}

const isOneCharacter = (bytes: Uint8Array): boolean =>
  [...(strict("", "utf-8", bytes)?.text ?? "")].length === 1;
