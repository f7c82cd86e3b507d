import { userInfo } from "node:os";
import { pipeline } from "node:stream/promises";
import { styleText } from "node:util";
import { printable } from "#base/invisible-characters.ts";

let printed = false;

/** Returns whether anything was printed to stdout since the command began. */
export const hasPrinted = (): boolean => printed;
/** Resets the record of whether anything was printed, before a command runs. */
export const nothingPrinted = (): void => {
  printed = false;
};

/** Prints a line of the requested data to stdout. Messages about it go to stderr, see `say`. */
export const print = (text: string): void => {
  printed = true;
  process.stdout.write(`${withoutControlCharacters(text)}\n`);
};

type Pieces = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** Prints a long text in pieces as they arrive. */
export const printAll = (pieces: Pieces): Promise<void> =>
  pipeline(recordPrinting(pieces), process.stdout, { end: false });

async function* recordPrinting(pieces: Pieces): AsyncGenerator<string | Uint8Array> {
  for await (const piece of pieces) {
    printed = true;
    yield piece;
  }
}

/** Prints an indented JSON document. */
export const printJson = (document: unknown): void => print(jsonText(document, 2));
/** Prints a JSON document on one line. */
export const printJsonLine = (document: unknown): void => print(jsonText(document));

/** Prints a line for people to stderr: progress, warnings, next steps. */
export const say = (text: string): void => {
  process.stderr.write(`${withoutControlCharacters(text)}\n`);
};

/**
 * JSON without terminal control characters. Escaped, such as `\u009b`, they give the same document.
 */
const jsonText = (document: unknown, indent = 0): string =>
  JSON.stringify(document, null, indent).replaceAll(
    /[\u007f-\u009f\u2028\u2029]|\p{Bidi_C}/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Our own control characters: line ends, bold, dim and colour, none of which hides text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colour is made of
const OWN_CONTROL_CHARACTERS = /(\n|\u001b\[(?:[12]|22|3[1-69])m)/;

/**
 * The last safeguard against control characters in foreign texts. Texts within a line of ours are
 * made visible where they are inserted.
 */
const withoutControlCharacters = (text: string): string =>
  text
    .split(OWN_CONTROL_CHARACTERS)
    .map((part, place) => (place % 2 === 0 ? printable(part) : part))
    .join("");

type Style = Parameters<typeof styleText>[0];

/** Adds colour for people only: never in a file or a pipe, or if NO_COLOR is set. */
export const styled = (
  style: Style,
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string => styleText(style, text, { stream, validateStream: true });

/** Formats a count like "1 row" or "12 rows". */
export const plural = (count: number, word: string): string =>
  `${count} ${word}${count === 1 ? "" : "s"}`;

/**
 * Formats columns padded to their widest cell, with numbers aligned to the right. A cell is one
 * line.
 */
export function table(
  given: readonly (readonly string[])[],
  right: ReadonlySet<number> = new Set(),
): string {
  const rows = given.map((row) => row.map(printable));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return right.has(column) ? cell.padStart(width) : cell.padEnd(width);
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/**
 * Returns the actor for audit log and transitions, until there are users. In a container the user
 * id often has no name.
 */
export function currentActor(ofSystem: () => { readonly username: string } = userInfo): string {
  try {
    return `cli:${ofSystem().username}`;
  } catch {
    return `cli:uid-${process.getuid?.() ?? "unknown"}`;
  }
}

/** Returns a text in quotes, as one argument of a shell. */
export const quoted = (text: string): string =>
  `'${printable(text).replaceAll("'", String.raw`'\''`)}'`;
