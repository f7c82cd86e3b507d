import type { Problem } from "#intake/text/problems.ts";
import { quoted } from "#cli/terminal/output.ts";
import type { ReadingFlags } from "#cli/terminal/reading-options.ts";

/**
 * Returns the command that checks a file again as payrun proposes to read it. Null: payrun has no
 * complete proposal.
 *
 * @param given the options that the person has already typed.
 */
export function checkAgainCommand(
  file: string,
  given: ReadingFlags & { readonly rejects?: string },
  problems: readonly Problem[],
): string | null {
  const proposals = problems.flatMap(({ proposal }) => proposal ?? []);
  const asked = proposals.find(({ amounts }) => amounts)?.amounts ?? null;
  const columns = proposals.find((each) => each.columns)?.columns ?? [];
  const amounts = given.amounts ?? asked?.proposed ?? null;
  const mapped = columns.flatMap(({ name, column, basis }) =>
    basis === "own_name" || (column === null && basis !== "unknown")
      ? []
      : [`${name}=${column ?? ""}`],
  );
  const isOpen = columns.some(({ basis }) => basis === "several") || (asked && amounts === null);
  const proposed = proposals.find((each) => each.currency)?.currency?.proposed ?? null;
  const currency = given.currency ?? proposed;
  if (proposals.length === 0 || isOpen) return null;
  const column = [...(given.column ?? []), ...mapped];
  return [
    "payrun check",
    argument(file),
    ...(amounts === null ? [] : [`--amounts ${argument(amounts)}`]),
    ...(currency === null ? [] : [`--currency ${argument(currency)}`]),
    ...column.map((each) => `--column ${argument(each)}`),
    ...(given.rejects === undefined ? [] : [`--rejects ${argument(given.rejects)}`]),
  ].join(" ");
}

/** Returns a text as one argument of a shell, in quotes only if it needs them. */
const argument = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith("-") ? text : quoted(text);
