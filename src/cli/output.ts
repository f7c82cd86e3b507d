import { userInfo } from "node:os";
import { styleText } from "node:util";

/** stdout is data. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

export const printJson = (document: unknown): void => print(JSON.stringify(document, null, 2));

/** stderr is everything else. */
export const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

type Style = Parameters<typeof styleText>[0];

/** Colour for people only: never in a file, a pipe, or where NO_COLOR asks for none. */
export const styled = (
  style: Style,
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string => styleText(style, text, { stream, validateStream: true });

/** Columns padded to their widest cell; numbers to the right. The first row is the heading. */
export function table(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number> = new Set(),
): string {
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

/** Who did it, for audit and transitions, until there are users. */
export const actor = (): string => `cli:${userInfo().username}`;
