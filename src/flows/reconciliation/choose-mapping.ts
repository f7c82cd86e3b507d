import { isDeepStrictEqual } from "node:util";
import { GENERATED_CODE_PATTERN } from "#base/ids.ts";
import { err, ok, type Result } from "#base/result.ts";
import { readForReview } from "#flows/reconciliation/read-for-review.ts";
import type { LoadRefusal, StatementUpload } from "#flows/reconciliation/statement-upload.ts";
import type { StoredMapping } from "#ledger/reconciliation/mappings.ts";
import {
  contradictingWord,
  missingFields,
  type StatementMapping,
} from "#reconciliation/statement-mapping.ts";
import { openStatementTable, type StatementTable } from "#reconciliation/statement-table.ts";
import {
  type StatementSample,
  suggestFromValues,
  suggestStyle,
  valuesOf,
} from "#reconciliation/suggest-mapping.ts";

const GENERATED_CODE = new RegExp(GENERATED_CODE_PATTERN);
/** Rows on which suggestions are based. */
const SAMPLE_ROWS = 50;
/** Values of each column that a person sees next to it. */
const SHOWN_VALUES = 3;

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
  upload: StatementUpload,
  stored: StoredMapping | null,
): Promise<Result<ChosenMapping, LoadRefusal>> {
  const { open, changes, isConfirmed, isReview, actor } = upload;
  const table = await openStatementTable(open(), { sender: actor });
  if (!table.ok) return err({ kind: "unreadable", problems: [table.error] });
  const { names, fixed } = table.value;
  const sample = await sampleOf(table.value);
  const columns = changes.columns ?? suggested(sample, stored);
  const chosen = {
    ...(stored ? mappingOf(stored) : { ...DEFAULT_MAPPING, ...styleIn(sample, columns) }),
    ...changes,
  };
  const mapping: StatementMapping = {
    ...chosen,
    ...fixed,
    words: { ...chosen.words, ...fixed.words },
    columns,
  };
  if (stored && !isReview && isDeepStrictEqual(mapping, mappingOf(stored))) {
    return ok({ mapping, version: stored.version });
  }
  const missing = missingFields(mapping.columns);
  const isByPerson = /^(?:user|cli):/.test(actor);
  if (contradictingWord(mapping) !== null) throw new Error("a word has two results");
  return isConfirmed && !isReview && isByPerson && missing.length === 0
    ? ok({ mapping, version: null })
    : err({
        kind: "mapping_unconfirmed",
        mapping,
        names,
        samples: names.map((name) => valuesOf(sample, name).slice(0, SHOWN_VALUES)),
        missing,
        review: missing.length === 0 ? await readForReview(upload, mapping) : null,
        isByPerson,
      });
}

/** Reads the first rows. */
async function sampleOf({ names, rows }: StatementTable): Promise<StatementSample> {
  for await (const records of rows)
    if (records.length > 0)
      return { names, rows: records.slice(0, SAMPLE_ROWS).map(({ cells }) => cells) };
  return { names, rows: [] };
}

function styleIn(sample: StatementSample, columns: StatementMapping["columns"]) {
  const style =
    columns.amount === undefined ? null : suggestStyle(valuesOf(sample, columns.amount));
  return style && { amountStyle: style };
}

/** Suggests columns: those of the stored mapping, and others by their names and values. */
function suggested(
  sample: StatementSample,
  stored: StoredMapping | null,
): StatementMapping["columns"] {
  const { names } = sample;
  const known = Object.entries(stored?.columns ?? {}).filter(([, name]) => names.includes(name));
  const taken = new Set(known.map(([, name]) => name));
  const others = Object.entries(suggestFromValues(sample, GENERATED_CODE)).filter(
    ([, name]) => !taken.has(name),
  );
  return { ...Object.fromEntries(others), ...Object.fromEntries(known) };
}
