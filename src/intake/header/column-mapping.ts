import {
  COLUMNS,
  type Column,
  type ColumnPlaces,
  REQUIRED_COLUMNS,
} from "#intake/header/columns.ts";
import { provenCurrency } from "#intake/header/added-columns.ts";
import { knownColumn, placesOf } from "#intake/header/column-names.ts";
import {
  currencyInName,
  isBankDetail,
  isPersonNoun,
  synonymOf,
} from "#intake/header/column-synonyms.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import type { ColumnProposal } from "#intake/text/reading-proposal.ts";
import { visible } from "#base/invisible-characters.ts";
import { err, ok, type Result } from "#base/result.ts";

/** The payrun column of each column of a file, by its name in the file. Null: it is ignored. */
export type ColumnMapping = ReadonlyMap<string, Column | null>;

/** The mapping that a person has decided on or used before. */
export interface ColumnChoices {
  /** The mapping that the uploader confirmed. Absent: other names are asked about. */
  readonly confirmed?: ColumnMapping;
  /** The confirmed currency of all rows, for a file without a currency column. */
  readonly currency?: string;
  /** Returns the choices that the uploader confirmed for an earlier file with these names. */
  readonly recall?: (names: readonly string[]) => RememberedColumns | null;
}

/** The confirmed choices for an earlier file with the same header. */
export interface RememberedColumns {
  readonly mapping: ColumnMapping;
  /** The currency of all rows. Null: the file has a currency column. */
  readonly currency: string | null;
}

/** A column of a file, and what payrun suggests to read it as. */
export interface ColumnSuggestion extends Omit<ColumnProposal, "first"> {
  readonly column: Column | null;
}

export interface ReadColumns {
  /** The names in the file, with payrun's names for the columns that were mapped. */
  readonly names: readonly string[];
  readonly places: ColumnPlaces;
  readonly notes: readonly Problem[];
  /** The columns that are not read by their own name. */
  readonly mapped: readonly { readonly name: string; readonly column: Column }[];
  /** The currency of all rows, confirmed or suggested. Null: the file has a currency column. */
  readonly currency: string | null;
  /** The suggestions that the uploader must confirm first. Null: nothing to confirm. */
  readonly question: readonly ColumnSuggestion[] | null;
}

/** Only columns with payrun's own names are read. */
const OWN_NAMES: ColumnChoices = { confirmed: new Map() };

/**
 * Decides which column of a file is which. Err: the names cannot be a header, or the confirmed
 * mapping does not fit them.
 *
 * @param available the currencies in which the account can pay.
 */
export function readColumns(
  names: readonly string[],
  line: number,
  { confirmed, currency: chosen, recall }: ColumnChoices = OWN_NAMES,
  available: readonly string[] = [],
): Result<ReadColumns, readonly Problem[]> {
  const currency = chosen ?? null;
  if (confirmed) {
    const faults = mappingFaults(names, confirmed, line);
    if (faults.length > 0) return err(faults);
    return readWith(names, confirmed, line, { question: null, currency, available });
  }
  const remembered = recall?.(names) ?? null;
  const proposals = proposalsFor(names, remembered?.mapping ?? null);
  const columns = new Set(proposals.map(({ column }) => column));
  const lacksCurrency = !columns.has("currency_code");
  // Other required columns cannot be missing: a file without them cannot be paid in any way.
  const lacksOnlyCurrency =
    lacksCurrency &&
    currency === null &&
    REQUIRED_COLUMNS.every((column) => column === "currency_code" || columns.has(column));
  const isQuestion =
    lacksOnlyCurrency ||
    proposals.some(
      ({ name, basis }) =>
        basis === "remembered" ||
        ((basis === "synonym" || basis === "several") && isBankDetail(synonymOf(name))),
    );
  const mapping = isQuestion ? proposals.map(({ name, column }) => [name, column] as const) : [];
  const suggested =
    isQuestion && lacksCurrency && !proposals.some(isRivalForCurrency)
      ? suggestedCurrency(remembered, proposals, available)
      : null;
  return readWith(names, new Map(mapping), line, {
    question: isQuestion ? proposals : null,
    currency: currency ?? suggested,
    available,
  });
}

/** Returns whether this is one of several columns that could be that of the currency. */
const isRivalForCurrency = ({ name, basis }: ColumnSuggestion): boolean =>
  basis === "several" && synonymOf(name) === "currency_code";

function suggestedCurrency(
  remembered: RememberedColumns | null,
  proposals: readonly ColumnSuggestion[],
  available: readonly string[],
): string | null {
  const last = remembered?.currency ?? null;
  if (last !== null && available.includes(last)) return last;
  const proven = provenCurrency(new Set(proposals.map(({ column }) => column)), available);
  const amount = proposals.find(({ column }) => column === "transaction_amount");
  const named = amount ? currencyInName(amount.name) : null;
  if (named === null || named === proven) return proven;
  // A name that contradicts the proof leaves the currency to the uploader.
  return proven === null && available.includes(named) ? named : null;
}

function readWith(
  names: readonly string[],
  mapping: ColumnMapping,
  line: number,
  {
    question,
    currency,
    available,
  }: Pick<ReadColumns, "question" | "currency"> & { readonly available: readonly string[] },
): Result<ReadColumns, readonly Problem[]> {
  const asRead = names.map((name) => mapping.get(name) ?? name);
  const given: readonly Column[] = currency === null ? [] : ["currency_code"];
  const { places, problems, notes } = placesOf(asRead, line, given);
  const refused = currency === null ? [] : currencyFaults(currency, places, line, available);
  if (refused.length > 0) return err(refused);
  // A missing column can still be chosen.
  const faults = problems.filter(({ code }) => !question || code !== "columns_missing");
  if (faults.length > 0) return err(faults);
  const mapped = names.flatMap((name) => {
    const column = mapping.get(name);
    return column && knownColumn(name) === undefined ? [{ name, column }] : [];
  });
  return ok({ names: asRead, places, notes, mapped, currency, question });
}

/** A currency for all rows belongs to a file without a currency column. */
function currencyFaults(
  currency: string,
  places: ColumnPlaces,
  line: number,
  available: readonly string[],
): readonly Problem[] {
  if (places.has("currency_code")) return [problem("currency_given_twice", { line }, { currency })];
  if (available.includes(currency)) return [];
  const currencies = available.join(" ");
  const at = { column: "currency_code", found: currency };
  return [problem("currency_not_available", at, { currency, currencies })];
}

/** payrun's own names always have their meaning, and each meaning belongs to one column. */
function mappingFaults(
  names: readonly string[],
  mapping: ColumnMapping,
  line: number,
): readonly Problem[] {
  const strangers = [...mapping.keys()].filter((name) => !names.includes(name));
  const renamed = [...mapping].filter(
    ([name, column]) => knownColumn(name) !== undefined && knownColumn(name) !== column,
  );
  const meanings = Map.groupBy(
    names.filter((name) => mapping.get(name) ?? knownColumn(name)),
    (name) => mapping.get(name) ?? knownColumn(name),
  );
  return [
    ...strangers.map((name) => problem("mapped_column_missing", { line, column: visible(name) })),
    ...renamed.map(([name]) => problem("own_column_mapped", { line, column: visible(name) })),
    ...[...meanings].flatMap(([column = null, all]) =>
      all.length < 2 || !all.some((name) => mapping.get(name) && !knownColumn(name))
        ? []
        : [problem("column_mapped_twice", { line, column }, { names: quoted(all) })],
    ),
  ];
}

const quoted = (names: readonly string[]): string =>
  names.map((name) => `"${visible(name)}"`).join(", ");

function proposalsFor(
  names: readonly string[],
  remembered: ColumnMapping | null,
): readonly ColumnSuggestion[] {
  const own = new Set(names.map(knownColumn));
  const exact = new Set(names.filter((name) => !isPersonNoun(name)).map(synonymOf));
  const suggested = (name: string): Column | undefined => {
    const column = synonymOf(name);
    return isPersonNoun(name) && exact.has(column) ? undefined : column;
  };
  const wanted = (name: string): Column | null => {
    if (knownColumn(name)) return null;
    const column = remembered?.get(name) ?? suggested(name) ?? null;
    return column && !own.has(column) ? column : null;
  };
  const rivals = Map.groupBy(
    names.filter((name) => wanted(name)),
    wanted,
  );
  return names.map((name): ColumnSuggestion => {
    const known = knownColumn(name);
    if (known) return { name, column: known, basis: "own_name" };
    if (remembered?.has(name)) {
      const column = remembered.get(name) ?? null;
      return { name, column: column && own.has(column) ? null : column, basis: "remembered" };
    }
    const column = wanted(name);
    if (!column) return { name, column, basis: "unknown" };
    return (rivals.get(column)?.length ?? 0) > 1
      ? { name, column: null, basis: "several" }
      : { name, column, basis: "synonym" };
  });
}

/**
 * Parses a mapping written as "NAME=COLUMN" for each column, or "NAME=" for a column to ignore.
 * Err: the first text that is not written like this, or that repeats a name.
 */
export function parseMapping(texts: readonly string[]): Result<ColumnMapping, string> {
  const mapping = new Map<string, Column | null>();
  for (const text of texts) {
    const at = text.lastIndexOf("=");
    const column = text.slice(at + 1).trim();
    const known = COLUMNS.find((name) => name === column);
    const name = text.slice(0, at).trim();
    const isWrong = at < 1 || name === "" || (column !== "" && !known);
    if (isWrong || mapping.has(name)) return err(text);
    mapping.set(name, known ?? null);
  }
  return ok(mapping);
}

/** Writes the question for people who do not see the page, such as users of the command line. */
export function columnsQuestion(
  proposals: readonly ColumnSuggestion[],
  currency: string | null,
): Problem {
  const proposed = proposals.filter(({ basis, column }) => basis !== "own_name" && column);
  const several = proposals.filter(({ basis }) => basis === "several");
  const columns = new Set(proposals.map(({ column }) => column));
  const missing = REQUIRED_COLUMNS.filter(
    (column) => !columns.has(column) && (column !== "currency_code" || currency === null),
  );
  const hints = [
    ...(currency === null ? [] : [`${currency} as the currency of all rows`]),
    ...proposed.map(({ name, column }) => `"${visible(name)}" as ${column}`),
    ...several.map(({ name }) => `"${visible(name)}" as ${synonymOf(name)} or ignored`),
  ];
  const lack = missing.length > 0 ? ` Still missing: ${missing.join(", ")}.` : "";
  if (hints.length === 0) return problem("currency_unconfirmed");
  return problem("columns_unconfirmed", {}, { hints: hints.join(", "), lack });
}
