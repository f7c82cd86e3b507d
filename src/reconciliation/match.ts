import { CodeComparison, isAgreed } from "#reconciliation/compare-code.ts";
import type { FoundBreak } from "#reconciliation/break-classes.ts";
import type { LedgerRecord, StatementRecord } from "#reconciliation/records.ts";

/** Counts of a comparison. */
export interface MatchTotals {
  readonly payouts: number;
  readonly lines: number;
  /** Codes on both sides. */
  readonly matched: number;
}

/** Thrown if a source is not sorted by code: its breaks would be wrong. */
export class NotSorted extends Error {}

/** Sees the records of both sides as they are compared, in the order of their codes. */
export interface MatchWatcher {
  payout?(record: LedgerRecord): void;
  line?(record: StatementRecord): void;
  /** Sees a payout that the statement lists as completed, without any break. */
  completed?(record: LedgerRecord, line: StatementRecord): void;
}

/**
 * Merges the ledger and the statement, each in pages and sorted by code in ascending order of its
 * ASCII characters, and yields every break. Its memory use is constant. The generator returns the
 * totals.
 *
 * @throws NotSorted if a source is not in order, or the ledger repeats a code.
 */
export async function* matchSorted(
  ledger: AsyncIterable<readonly LedgerRecord[]>,
  statement: AsyncIterable<readonly StatementRecord[]>,
  watcher?: MatchWatcher,
): AsyncGenerator<FoundBreak, MatchTotals, undefined> {
  const [payouts, lines] = [new Cursor(ledger, true), new Cursor(statement, false)];
  try {
    await payouts.open();
    await lines.open();
    let matched = 0;
    while (payouts.head ?? lines.head) {
      const code = smaller(payouts.head?.code, lines.head?.code);
      const record = payouts.head?.code === code ? payouts.head : null;
      const first = lines.head?.code === code ? lines.head : null;
      if (record) {
        watcher?.payout?.(record);
        if (!payouts.next()) await payouts.open();
      }
      if (first) {
        watcher?.line?.(first);
        if (!lines.next()) await lines.open();
      }
      if (record && first) {
        matched += 1;
        if (lines.head?.code !== code && isAgreed(record, first)) {
          if (first.status === "completed") watcher?.completed?.(record, first);
          continue;
        }
      }
      const comparison = new CodeComparison(code, record);
      if (first) comparison.add(first);
      while (lines.head?.code === code) {
        watcher?.line?.(lines.head);
        comparison.add(lines.head);
        if (!lines.next()) await lines.open();
      }
      const breaks = comparison.end();
      if (record && comparison.completed && breaks.length === 0) {
        watcher?.completed?.(record, comparison.completed);
      }
      yield* breaks;
    }
    return { payouts: payouts.count, lines: lines.count, matched };
  } finally {
    await payouts.close();
    await lines.close();
  }
}

function smaller(left: string | undefined, right: string | undefined): string {
  if (left === undefined) return right ?? "";
  return right === undefined || left < right ? left : right;
}

/** The first unread record of a source. */
class Cursor<Record extends { readonly code: string }> {
  readonly #source: AsyncIterator<readonly Record[]>;
  readonly #isUnique: boolean;
  #page: readonly Record[] = [];
  #place = 0;
  head: Record | null = null;
  count = 0;

  constructor(source: AsyncIterable<readonly Record[]>, isUnique: boolean) {
    this.#source = source[Symbol.asyncIterator]();
    this.#isUnique = isUnique;
  }

  /** Moves to the next record of the page. False: the page has no more. */
  next(): boolean {
    const record = this.#page[this.#place];
    if (!record) return false;
    const before = this.head?.code;
    const { code } = record;
    if (before !== undefined && (code < before || (this.#isUnique && code === before))) {
      throw new NotSorted(`${code} comes after ${before}`);
    }
    this.head = record;
    this.#place += 1;
    this.count += 1;
    return true;
  }

  /** Moves to the first record of the next page. Afterwards `head` is null at the end. */
  async open(): Promise<void> {
    do {
      const { value, done } = await this.#source.next();
      if (done) {
        this.head = null;
        return;
      }
      this.#page = value;
      this.#place = 0;
    } while (!this.next());
  }

  /** Ends the source, if it has not ended. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
