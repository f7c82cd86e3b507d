import { createHash } from "node:crypto";
import type { Column } from "#intake/header/columns.ts";
import type { RowVerdict } from "#intake/row.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import type { Problem } from "#intake/text/problems.ts";
import { storeRows } from "#flows/intake/store-rows.ts";
import type { AmountText, RetryBatchRefusal } from "#flows/payout/retry-refusal-text.ts";
import { type RetryReader, retryReader, type RowEdit } from "#flows/payout/retry-rows.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import { type IdGenerator, randomIds } from "#base/ids.ts";
import type { Batch, PayingLedger } from "#ledger/ledger.ts";
import { isUniqueViolation } from "#ledger/store/database-errors.ts";
import { type Declined, NotRetryable } from "#ledger/payout/retry-batches.ts";
import { amountOf } from "#money/format.ts";
import { type Money, sumByCurrency } from "#money/money.ts";
import { reasonCode } from "#payout/reasons.ts";
import { retryConditionOf } from "#payout/retry-rule.ts";
import { err, ok, type Result } from "#base/result.ts";

export interface CreatedRetryBatch {
  readonly batch: Batch;
  /**
   * Number of declined rows that the current checks reject, or read differently than when they were
   * approved.
   */
  readonly leftOut: number;
  /** Number of declined rows left out because they are never retried unchanged. */
  readonly needNewDetails: number;
  /** Number of rows with edited details. */
  readonly edited: number;
}

/** Selects the declined payouts of a batch that are retried unchanged, and edits others. */
export interface RetryOrder {
  readonly batchId: string;
  readonly actor: string;
  /** Why a person retries payouts unchanged whose cause is unknown. Null: no reason was given. */
  readonly reason?: string | null | undefined;
  /** Retries only payouts with these reasons unchanged. Default: all, unless rows are edited. */
  readonly causes?: readonly string[] | undefined;
  /** Only these lines are retried unchanged. */
  readonly lines?: readonly number[] | undefined;
  /**
   * Also retries the returned payouts, whose totals a person has confirmed. Declined payouts are
   * retried with them only if `causes` or `lines` name them.
   */
  readonly returned?: readonly AmountText[] | undefined;
  /** Edited cells by the line of the declined payout. */
  readonly edits?: ReadonlyMap<number, RowEdit>;
}

interface RetryBatchDeps {
  readonly ledger: PayingLedger;
  readonly keyring: Keyring;
  readonly rows: RowSettings;
  readonly ids?: IdGenerator;
}

const PAGE = 2_000;
/** Rows are numbered as in a file, whose first line is the header. */
const FIRST_LINE = 2;
const READ_DIFFERENTLY =
  "The current rules interpret this row differently than when it was approved.";

/**
 * Creates a retry batch from declined payouts of another batch, unchanged or with edited details,
 * and from returned ones if a person has confirmed their totals. It is checked and approved like
 * any other batch. Each row gets a code from the previous one (retryCodeAfter), and is sent only as
 * long as every earlier payout is conclusively declined or returned.
 */
export async function createRetryBatch(
  order: RetryOrder,
  deps: RetryBatchDeps,
): Promise<Result<CreatedRetryBatch, RetryBatchRefusal>> {
  const { batchId, actor, edits = NO_EDITS } = order;
  const { ledger, ids = randomIds } = deps;
  const parent = await ledger.payout.findBatch({ id: batchId });
  if (!parent) return err({ kind: "not_found" });
  if (await ledger.integrity.verify()) return err({ kind: "frozen" });

  const id = ids.batchId();
  const pages = declinedOf(order, ledger);
  const first = await pages.next();
  if (first.done) return err(await nothingToRetry(order, ledger));
  const columns = [...edits.values()].flatMap((edit) => [...edit.keys()]);
  const reader = retryReader(parent, deps.rows, columns);
  const selection = new RetrySelection(order, reader);
  // A retry batch has no file, so its digest is over its own ID: two of them may have the same rows
  // if the first is cancelled.
  const digest = createHash("sha256").update(`remainder ${id}`).digest("hex");
  const { parents, edited } = selection;
  const unchangedReason = takesUnchanged(order) ? (order.reason ?? null) : null;
  const retryOf = { batchId, parents, unchangedReason, edited };
  const { reading } = parent.facts;
  const facts = { header: reader.header, ...(reading && { reading }) };
  const names = { id, digest, fileName: nameOf(parent), actor };
  const batch = { ...names, retryOf, ...(reading && { reading }) };
  try {
    await ledger.intake.createBatch(batch, async (writer) => {
      let page: IteratorResult<readonly Declined[], undefined> = first;
      for (; !page.done; page = await pages.next()) {
        const rows = page.value.flatMap((declined) => selection.take(declined));
        await storeRows(rows, writer, { keyring: deps.keyring, looksFor: "own codes" });
      }
      const refusal = selection.refusal();
      if (refusal) throw new Refused(refusal);
      return { encoding: "UTF-8", delimiter: ",", notes: [], ...facts };
    });
  } catch (error) {
    if (error instanceof Refused) return err(error.refusal);
    // Two concurrent requests create the same codes. The first to commit succeeds.
    const isSecond = isUniqueViolation(error, "payout_details_code");
    if (!isSecond && !(error instanceof NotRetryable)) throw error;
    return err({ kind: "paid_again", batchIds: await ledger.payout.retryBatchesOf(batchId) });
  }
  const stored = await ledger.payout.findBatch({ id });
  if (!stored) throw new Error(`batch ${id} is gone`);
  const { leftOut, needNewDetails } = selection;
  return ok({ batch: stored, leftOut: leftOut.length, needNewDetails, edited: edited.size });
}

/** Rolls back the batch that is being written. */
class Refused extends Error {
  readonly refusal: RetryBatchRefusal;

  constructor(refusal: RetryBatchRefusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

const NO_EDITS: ReadonlyMap<number, RowEdit> = new Map();

/** Whether the order names the payouts, so that an omission would go unnoticed. */
const isExplicit = ({ causes, lines, returned }: RetryOrder): boolean =>
  causes !== undefined || lines !== undefined || returned !== undefined;

/** Whether payouts are retried unchanged, and not only with edits. */
const takesUnchanged = (order: RetryOrder): boolean =>
  (order.edits ?? NO_EDITS).size === 0 || isExplicit(order);

/** Chooses the rows of a retry batch one by one, and remembers why others are refused. */
class RetrySelection {
  readonly parents = new Map<number, number>();
  readonly edited = new Map<number, readonly Column[]>();
  readonly leftOut: string[] = [];
  needNewDetails = 0;
  readonly #order: RetryOrder;
  readonly #reader: RetryReader;
  readonly #unchanged: number[] = [];
  readonly #withoutReason: number[] = [];
  readonly #returned: Money[] = [];
  readonly #problems: Problem[] = [];
  readonly #editsLeft: Set<number>;
  #line = FIRST_LINE;

  constructor(order: RetryOrder, reader: RetryReader) {
    this.#order = order;
    this.#reader = reader;
    this.#editsLeft = new Set(order.edits?.keys());
  }

  /** Returns the row of a declined payout for the retry batch, or no row. */
  take(declined: Declined): RowVerdict[] {
    const edit = this.#order.edits?.get(declined.line);
    this.#editsLeft.delete(declined.line);
    if (edit === undefined && !this.#mayStayUnchanged(declined)) return [];
    if (declined.state === "returned") this.#returned.push(declined.order.money);
    const read = this.#reader.read(declined, this.#line, edit);
    switch (read.kind) {
      case "unchanged":
        this.#unchanged.push(declined.line);
        return [];
      case "rejected":
        if (edit === undefined) this.leftOut.push(read.row.problems[0]?.message ?? "");
        else
          this.#problems.push(
            ...read.row.problems.map((each) => ({ ...each, line: declined.line })),
          );
        return [];
      case "read_differently":
        this.leftOut.push(READ_DIFFERENTLY);
        return [];
      case "draft":
        this.parents.set(this.#line, declined.payoutId);
        if (edit) this.edited.set(this.#line, read.changed);
        this.#line += 1;
        return [read.row];
    }
  }

  /** Returns whether the order retries this payout unchanged, and records it if it may not. */
  #mayStayUnchanged({ line, reason, state }: Declined): boolean {
    const { causes, lines, returned } = this.#order;
    const isNamed =
      causes?.some((cause) => reason === cause || reasonCode(reason) === cause) ??
      (returned === undefined || lines !== undefined);
    const isMeant =
      takesUnchanged(this.#order) &&
      (lines === undefined || lines.includes(line)) &&
      (state === "returned" || isNamed);
    if (!isMeant) return false;
    if (retryConditionOf(reason).rule === "new_details") {
      if (isExplicit(this.#order)) this.#unchanged.push(line);
      else this.needNewDetails += 1;
      return false;
    }
    if (!this.#order.reason) this.#withoutReason.push(line);
    return true;
  }

  /** Returns why the batch is not created. Null: it is. */
  refusal(): RetryBatchRefusal | null {
    const totals = [...sumByCurrency(this.#returned).values()].map(amountOf);
    if (!isSameTotals(this.#order.returned ?? [], totals))
      return { kind: "returned_changed", totals };
    const notRetryable = [...this.#editsLeft];
    if (this.#problems.length > 0 || notRetryable.length > 0)
      return { kind: "invalid_edits", problems: this.#problems, notRetryable };
    if (this.#unchanged.length > 0) return { kind: "needs_new_details", lines: this.#unchanged };
    if (this.#withoutReason.length > 0) return { kind: "needs_reason", lines: this.#withoutReason };
    if (this.parents.size > 0) return null;
    return this.leftOut.length > 0
      ? { kind: "no_valid_rows", why: this.leftOut[0] ?? "" }
      : { kind: "needs_new_details", lines: [] };
  }
}

const isSameTotals = (confirmed: readonly AmountText[], totals: readonly AmountText[]): boolean =>
  confirmed.length === totals.length &&
  totals.every((total) =>
    confirmed.some(
      ({ currency, amount }) => currency === total.currency && amount === total.amount,
    ),
  );

/** A retry of a retry also has the name of the file that people know. */
const nameOf = ({ fileName }: Batch): string =>
  `Retry of ${fileName.replace(/^Retry of /i, "")}`.slice(0, 255);

async function nothingToRetry(order: RetryOrder, ledger: PayingLedger): Promise<RetryBatchRefusal> {
  const { batchId, edits = NO_EDITS } = order;
  const returned = edits.size === 0 ? await returnedTotals(order, ledger) : [];
  if (returned.length > 0) return { kind: "nothing", returned };
  const batchIds = await ledger.payout.retryBatchesOf(batchId);
  if (batchIds.length > 0) return { kind: "paid_again", batchIds };
  if (edits.size > 0)
    return { kind: "invalid_edits", problems: [], notRetryable: [...edits.keys()] };
  return { kind: "nothing", returned };
}

/** Returns the totals of the payouts that the order could retry if it confirmed them. */
async function returnedTotals(
  order: RetryOrder,
  ledger: PayingLedger,
): Promise<readonly AmountText[]> {
  const returned: Money[] = [];
  for await (const page of declinedOf({ ...order, returned: [] }, ledger)) {
    returned.push(
      ...page.filter(({ state }) => state === "returned").map(({ order: { money } }) => money),
    );
  }
  return [...sumByCurrency(returned).values()].map(amountOf);
}

/** Reads the declined payouts that the order selects, one page at a time. */
async function* declinedOf(
  order: RetryOrder,
  ledger: PayingLedger,
): AsyncGenerator<readonly Declined[], undefined> {
  const { batchId, lines, returned, edits = NO_EDITS } = order;
  const isAll = lines === undefined && takesUnchanged(order);
  const filter = {
    withReturned: returned !== undefined,
    ...(isAll ? {} : { lines: [...(lines ?? []), ...edits.keys()] }),
  };
  for (let after = 0; ; ) {
    const page = await ledger.payout.declinedRows({ batchId, after, sizeMax: PAGE, ...filter });
    const last = page.at(-1);
    if (!last) return undefined;
    yield page;
    after = last.payoutId;
  }
}
