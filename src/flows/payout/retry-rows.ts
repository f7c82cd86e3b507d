import { settingsOfBatch } from "#intake/file-interpretation.ts";
import { knownColumn, placesOf } from "#intake/header/column-names.ts";
import { COLUMNS, type Column } from "#intake/header/columns.ts";
import { rowReader, type RowVerdict } from "#intake/row.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import type { Problem } from "#intake/text/problems.ts";
import { retryCodeAfter } from "#base/ids.ts";
import type { Batch } from "#ledger/ledger.ts";
import type { Declined } from "#ledger/payout/retry-batches.ts";
import { payloadText, type PayoutDraft } from "#payout/payout.ts";
import { retryConditionOf } from "#payout/retry-rule.ts";

/**
 * The columns of a declined row that may be edited. The transaction code follows from the previous
 * one, and the currency decides the lane.
 */
export const EDITABLE_COLUMNS = COLUMNS.filter(
  (column) => column !== "transaction_code" && column !== "currency_code",
);

/** The new text of some cells of one declined row, by column. */
export type RowEdit = ReadonlyMap<Column, string>;

/** A declined row, read again. */
export type RetriedRow =
  | {
      readonly kind: "draft";
      readonly row: Extract<RowVerdict, { kind: "draft" }>;
      readonly changed: readonly Column[];
    }
  /** The current rules reject it. */
  | { readonly kind: "rejected"; readonly row: Extract<RowVerdict, { kind: "rejected" }> }
  /** The current rules read it differently than when it was approved. */
  | { readonly kind: "read_differently" }
  /** The edit changes none of the columns that the gateway refused. */
  | { readonly kind: "unchanged"; readonly columns: readonly string[] };

/** Reads declined rows of one batch again by the current rules, with or without an edit. */
export interface RetryReader {
  /** The header of the batch, extended by the edited columns that its file lacks. */
  readonly header: readonly string[];
  read(declined: Declined, line: number, edit?: RowEdit): RetriedRow;
}

/** Prepares reading the rows of a batch again. `edited`: the columns that edits change. */
export function retryReader(
  { facts }: Pick<Batch, "facts">,
  settings: RowSettings,
  edited: Iterable<Column> = [],
): RetryReader {
  const names: readonly string[] = facts.header;
  const isIn = (column: Column) => names.some((name) => knownColumn(name) === column);
  const header = [...names, ...[...new Set(edited)].filter((column) => !isIn(column))];
  const asInFile = settingsOfBatch(settings, facts.reading);
  const readRow = rowReader(header, placesOf(header, 1).places, asInFile);
  const placeOf = (column: Column) => header.findIndex((name) => knownColumn(name) === column);
  const codeAt = placeOf("transaction_code");

  const read: RetryReader["read"] = ({ cells, order, lastCode, reason }, line, edit) => {
    const before = header.map((_, place) => cells[place] ?? "");
    const after = [...before];
    for (const [column, text] of edit ?? []) after[placeOf(column)] = text;
    const row = readRow(
      after.map((cell, place) => (place === codeAt ? "" : cell)),
      line,
    );
    if (row.kind === "rejected") return { kind: "rejected", row };
    const draft: PayoutDraft = { ...row.draft, transactionCode: retryCodeAfter(lastCode) };
    const isSame = contentText(draft, order) === payloadText(order);
    if (edit === undefined) {
      // A row that these rules read differently than when it was approved is not paid unseen.
      return isSame
        ? { kind: "draft", row: { ...row, draft }, changed: [] }
        : { kind: "read_differently" };
    }
    const changed = [...edit.keys()].filter(
      (column) => (before[placeOf(column)] ?? "").trim() !== (edit.get(column) ?? "").trim(),
    );
    const ofOther = changesBank(edit) ? bankOfOther(row.warnings) : [];
    if (ofOther.length > 0) {
      return { kind: "rejected", row: { kind: "rejected", line, cells: after, problems: ofOther } };
    }
    const { columns } = retryConditionOf(reason);
    const isCorrected = columns.length === 0 || changed.some((column) => columns.includes(column));
    return isSame || !isCorrected
      ? { kind: "unchanged", columns }
      : { kind: "draft", row: { ...row, draft }, changed };
  };
  return { header, read };
}

const changesBank = (edit: RowEdit): boolean => edit.has("bank_code") || edit.has("bank_name");

/**
 * A person who chooses another bank changes its code and its name. In a file, which may be newer
 * than the list, two banks are only a warning.
 */
const bankOfOther = (warnings: readonly Problem[]): readonly Problem[] =>
  warnings
    .filter(({ code }) => code === "bank_name_of_other")
    .map((warning) => ({ ...warning, severity: "error" }));

/** The content of a retry as text, under the transaction code of the payout that it retries. */
const contentText = (
  { money, details, payoutCode, callbackUrl }: PayoutDraft,
  { transactionCode }: Declined["order"],
): string => payloadText({ transactionCode, money, details, payoutCode, callbackUrl });
