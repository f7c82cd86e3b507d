import type { z } from "zod";
import type { REVIEW_ROW_API } from "#api/approval/review-rows.ts";
import { cursorOf } from "#api/app/cursor.ts";
import { needsAttention, NEW_ACCOUNT_CHECKS, type RowCheck } from "#approval/anomalies.ts";
import { cellChanges } from "#approval/cell-changes.ts";
import { maskCells, maskPayout } from "#intake/masking.ts";
import {
  type CorrectedRow,
  countCorrectedRows,
  findCorrectedRows,
  type ReviewRow,
  reviewRows,
} from "#ledger/approval/review-rows.ts";
import { findChangedAgainstPrevious } from "#ledger/approval/comparison.ts";
import { sentRows } from "#ledger/approval/overrides.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import { amountOf, formatMoney } from "#money/format.ts";
import { accountFieldOf, accountNumberOf, bankOf } from "#payout/payout.ts";
import { findRowChecks } from "#views/approval/anomalies.ts";
import type { ServerDeps } from "#views/deps.ts";

type ReviewPage = z.output<(typeof REVIEW_ROW_API)["GET /api/batches/:id/approval/rows"]["answer"]>;
type Checks = ReadonlyMap<number, readonly RowCheck[]>;

interface Asked {
  readonly show: "all" | "flagged" | "corrected" | "new" | "changed";
  readonly order: "flagged" | "largest";
  readonly text?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

const NO_CHECKS: Checks = new Map();

/** Returns one page of the rows of a batch, in the order in which an approver reviews them. */
export async function reviewPage(
  batch: Batch,
  { show, order, text, offset, limit }: Asked,
  deps: ServerDeps,
): Promise<ReviewPage> {
  const { database, sealer } = deps;
  const found = await findRowChecks(batch, deps);
  const checks = found?.checks ?? NO_CHECKS;
  const matching = text === undefined ? null : await idsMatching(batch.id, text, deps);
  const shown =
    show === "changed"
      ? await findChangedAgainstPrevious(database, batch.id)
      : idsShown(show, checks);
  const rows = await reviewRows(database, sealer, {
    batchId: batch.id,
    attention: order === "largest" ? [] : idsWith(checks, needsAttention),
    flagged: order === "largest" ? [] : [...checks.keys()],
    only: intersection(matching, shown),
    onlyCorrected: show === "corrected",
    offset,
    limit,
  });
  const lines = rows.map(({ line }) => line);
  const corrected = await findCorrectedRows(database, sealer, batch.id, lines);
  const nameOf = await findActorNames(
    database,
    [...corrected.values()].map(({ actor }) => actor),
  );
  return {
    items: rows.map((row) => ({
      ...shownRow(row),
      checks: found && [...(checks.get(row.id) ?? [])],
      correction: shownCorrection(row, corrected.get(row.line), batch, nameOf),
    })),
    next: rows.length === limit ? cursorOf([offset + limit]) : null,
    counts: found && {
      all: batch.rows - batch.rejected,
      flagged: found.flaggedRows,
      corrected: await countCorrectedRows(database, batch.id),
      new: found.newAccounts,
    },
    listed: found && {
      flagged: checks.size,
      new: idsShown("new", checks)?.length ?? 0,
    },
  };
}

const idsWith = (checks: Checks, is: (check: RowCheck) => boolean): number[] =>
  [...checks].flatMap(([id, found]) => (found.some(is) ? [id] : []));

/** Null: no row is left out. */
function idsShown(show: Asked["show"], checks: Checks): readonly number[] | null {
  if (show === "flagged") return [...checks.keys()];
  return show === "new" ? idsWith(checks, (check) => NEW_ACCOUNT_CHECKS.includes(check)) : null;
}

function intersection(
  one: readonly number[] | null,
  other: readonly number[] | null,
): readonly number[] | null {
  if (one === null || other === null) return one ?? other;
  const both = new Set(other);
  return one.filter((id) => both.has(id));
}

const ROWS_AT_ONCE = 1_000;
const MATCHES_MAX = 200;

/** Returns the first rows that match a text. Names are sealed, so each row is decrypted. */
async function idsMatching(
  batchId: string,
  text: string,
  { database, sealer }: ServerDeps,
): Promise<readonly number[]> {
  const wanted = text.toLowerCase();
  const found: number[] = [];
  for (let after = 0; found.length < MATCHES_MAX; ) {
    const rows = await sentRows(database, sealer, { batchId, after, limit: ROWS_AT_ONCE });
    for (const row of rows)
      if (textsOf(row).some((each) => each.startsWith(wanted))) found.push(row.id);
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_ONCE) break;
    after = last.id;
  }
  return found;
}

/** The texts of a row whose start is searched: the name, each of its words, and its numbers. */
function textsOf({ line, code, sealed, ...row }: ReviewRow): readonly string[] {
  const name = (sealed.details.account_name ?? "").toLowerCase();
  const amount = formatMoney(moneyOf(row));
  const account = accountNumberOf(sealed.details)?.slice(-4) ?? "";
  return [
    name,
    ...name.split(/\s+/),
    `${line}`,
    amount,
    `${row.currency} ${amount}`.toLowerCase(),
    code.toLowerCase(),
    account,
  ];
}

function shownRow({ line, code, sealed, ...row }: ReviewRow) {
  const { details } = sealed;
  return {
    line,
    code,
    beneficiary: details.account_name ?? "",
    account_last4: accountNumberOf(details)?.slice(-4) ?? null,
    // In some currencies, the field of the bank holds the account.
    bank: bankOf(maskPayout(row.currency, sealed).details),
    ...amountOf(moneyOf(row)),
  };
}

function shownCorrection(
  { sealed }: ReviewRow,
  corrected: CorrectedRow | undefined,
  { facts: { header } }: Batch,
  nameOf: (actor: string) => string,
): ReviewPage["items"][number]["correction"] {
  if (!corrected) return null;
  const { cells, actor, at } = corrected;
  const mask = (row: readonly string[]) => maskCells(header, row, true);
  const account = accountFieldOf(sealed.details);
  return {
    by: { actor, name: nameOf(actor) },
    at: at.toISOString(),
    cells: cellChanges(header, cells, sealed.cells, mask).map((change) => ({
      ...change,
      is_account: change.column === account,
    })),
  };
}
