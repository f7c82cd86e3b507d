import {
  COLUMNS,
  type Column,
  type ColumnPlaces,
  REQUIRED_COLUMNS,
} from "#intake/header/columns.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import { visible } from "#base/invisible-characters.ts";
import { editDistance } from "#payout/rules/edit-distance.ts";

/**
 * Normalises a column name: "Transaction Amount", "transaction-amount" and "TRANSACTION_AMOUNT" are
 * one column.
 */
const normalizedColumn = (name: string) => name.toLowerCase().replace(/[\s_-]+/gu, "");
const COLUMN_BY_NORMALIZED_NAME: ReadonlyMap<string, Column> = new Map(
  COLUMNS.map((name) => [normalizedColumn(name), name]),
);

/** Returns the column that a header name denotes. */
export const knownColumn = (name: string): Column | undefined =>
  COLUMN_BY_NORMALIZED_NAME.get(normalizedColumn(name));

/**
 * Returns the position of each column, and every problem that makes these names unusable as a
 * header.
 *
 * @param given columns that the file may lack, because their value is given for all rows.
 */
export function placesOf(
  names: readonly string[],
  line: number,
  given: readonly Column[] = [],
): { places: ColumnPlaces; problems: readonly Problem[]; notes: readonly Problem[] } {
  const places = new Map<Column, number>();
  const firsts = new Map<string, number>();
  const problems: Problem[] = [];
  const unknown: { readonly name: string; readonly place: number }[] = [];
  for (const [place, name] of names.entries()) {
    const key = normalizedColumn(name);
    const first = firsts.get(key);
    if (key !== "" && first !== undefined) {
      const values = { column: visible(name), first: first + 1, second: place + 1 };
      problems.push(problem("column_twice", { line, column: visible(name) }, values));
      continue;
    }
    firsts.set(key, place);
    const column = knownColumn(name);
    if (column) places.set(column, place);
    else unknown.push({ name, place });
  }

  // Row contents are not reported here: as supposed column names, names and accounts would be shown
  // unmasked.
  if (places.size === 0 && names.some(isNumber)) {
    return { places, problems: [problem("header_missing", { line })], notes: [] };
  }
  const missing = REQUIRED_COLUMNS.filter(
    (column) => !places.has(column) && !given.includes(column),
  );
  if (missing.length > 0) {
    const hint =
      unknown.length > 0
        ? `Unknown columns: ${unknown
            .slice(0, 10)
            .map(({ name }) => {
              const near = nearestColumn(name, places);
              return `"${visible(name)}"${near ? ` (did you mean ${near}?)` : ""}`;
            })
            .join(", ")}.`
        : "Letter case, spaces and dashes in column names do not matter.";
    problems.unshift(
      problem(
        "columns_missing",
        { line, found: names.join(", ") },
        { columns: missing.join(", "), hint },
      ),
    );
  }
  return { places, problems, notes: unknown.map((column) => unknownColumn(column, places, line)) };
}

const isNumber = (name: string): boolean => /\d/.test(name) && !/\p{L}/u.test(name);

function unknownColumn(
  { name, place }: { readonly name: string; readonly place: number },
  places: ColumnPlaces,
  line: number,
): Problem {
  const at = { line, column: visible(name) || null };
  if (normalizedColumn(name) === "") return problem("column_unnamed", at, { position: place + 1 });

  const near = nearestColumn(name, places);
  return problem("column_ignored", at, { hint: near ? ` (closest match: ${near})` : "" });
}

/** Returns the column, not yet in the file, that this name is probably meant for. */
function nearestColumn(name: string, places: ColumnPlaces): Column | undefined {
  const key = normalizedColumn(name).slice(0, 40);
  if (key === "") return undefined;
  return COLUMNS.find((column) => {
    const wanted = normalizedColumn(column);
    const isPart = wanted.includes(key) || key.startsWith(wanted);
    return !places.has(column) && (isPart || editDistance(wanted, key) <= 2);
  });
}
