import { isDeepStrictEqual } from "node:util";
import { err, ok, type Result } from "#base/result.ts";
import type { LoadRefusal, StatementUpload } from "#flows/reconciliation/statement-upload.ts";
import type { StoredMapping } from "#ledger/reconciliation/mappings.ts";
import {
  contradictingWord,
  missingFields,
  type StatementMapping,
  suggestColumns,
} from "#reconciliation/statement-mapping.ts";
import { openStatementTable } from "#reconciliation/statement-table.ts";

const DEFAULT_MAPPING = {
  amountStyle: "plain",
  payoutSign: "none",
  words: {},
  zone: "UTC",
} as const;

/** The mapping with which a statement is read. */
export interface ChosenMapping {
  readonly mapping: StatementMapping;
  /** Null: it has to be stored. */
  readonly version: number | null;
}

/** Decides how the statement is read. Err: a person has to confirm it first. */
export async function mappingFor(
  upload: StatementUpload,
  stored: StoredMapping | null,
): Promise<Result<ChosenMapping, LoadRefusal>> {
  const isUnchanged = Object.keys(upload.changes).length === 0 && !upload.isReview;
  if (stored && isUnchanged) return ok({ mapping: mappingOf(stored), version: stored.version });
  return chooseMapping(upload, stored);
}

const mappingOf = ({ columns, words, amountStyle, payoutSign, zone }: StoredMapping) => ({
  columns,
  words,
  amountStyle,
  payoutSign,
  zone,
});

/** Asks for a mapping, even if a person has confirmed the stored one. */
export async function askForMapping(
  upload: StatementUpload,
  stored: StoredMapping | null,
): Promise<Result<never, LoadRefusal>> {
  const asked = await chooseMapping({ ...upload, isReview: true }, stored);
  if (asked.ok) throw new Error("an unconfirmed mapping was accepted");
  return asked;
}

/**
 * Combines the stored mapping, suggestions for the header, and the choices of a person. Columns and
 * words that a person gives are complete: the others are not read.
 */
async function chooseMapping(
  { open, changes, isConfirmed, isReview, actor }: StatementUpload,
  stored: StoredMapping | null,
): Promise<Result<ChosenMapping, LoadRefusal>> {
  const table = await openStatementTable(open(), { sender: actor });
  if (!table.ok) return err({ kind: "unreadable", problems: [table.error] });
  const { names, fixed } = table.value;
  const chosen = { ...(stored ? mappingOf(stored) : DEFAULT_MAPPING), ...changes };
  const mapping: StatementMapping = {
    ...chosen,
    ...fixed,
    words: { ...chosen.words, ...fixed.words },
    columns: changes.columns ?? suggested(names, stored),
  };
  if (stored && !isReview && isDeepStrictEqual(mapping, mappingOf(stored))) {
    return ok({ mapping, version: stored.version });
  }
  const missing = missingFields(mapping.columns);
  const isByPerson = /^(?:user|cli):/.test(actor);
  if (contradictingWord(mapping) !== null) throw new Error("a word has two results");
  return isConfirmed && !isReview && isByPerson && missing.length === 0
    ? ok({ mapping, version: null })
    : err({ kind: "mapping_unconfirmed", mapping, names, missing, isByPerson });
}

/** Suggests columns for a header: those of the stored mapping, and others by their names. */
function suggested(
  names: readonly string[],
  stored: StoredMapping | null,
): StatementMapping["columns"] {
  const known = Object.entries(stored?.columns ?? {}).filter(([, name]) => names.includes(name));
  const taken = new Set(known.map(([, name]) => name));
  const others = Object.entries(suggestColumns(names)).filter(([, name]) => !taken.has(name));
  return { ...Object.fromEntries(others), ...Object.fromEntries(known) };
}
