import { CodeComparison } from "#reconciliation/compare-code.ts";
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

/**
 * Merges the ledger and the statement, each sorted by code in ascending order of its ASCII
 * characters, and yields every break. Its memory use is constant. The generator returns the totals.
 *
 * @throws NotSorted if a source is not in order, or the ledger repeats a code.
 */
export async function* matchSorted(
  ledger: AsyncIterable<LedgerRecord>,
  statement: AsyncIterable<StatementRecord>,
): AsyncGenerator<FoundBreak, MatchTotals, undefined> {
  const [payouts, lines] = [new Cursor(ledger, true), new Cursor(statement, false)];
  await payouts.next();
  await lines.next();
  let matched = 0;
  while (payouts.head ?? lines.head) {
    const code = smaller(payouts.head?.code, lines.head?.code);
    const record = payouts.head?.code === code ? payouts.head : null;
    if (record) await payouts.next();
    const comparison = new CodeComparison(code, record);
    const isOnStatement = lines.head?.code === code;
    for (; lines.head?.code === code; await lines.next()) comparison.add(lines.head);
    if (record && isOnStatement) matched += 1;
    yield* comparison.end();
  }
  return { payouts: payouts.count, lines: lines.count, matched };
}

function smaller(left: string | undefined, right: string | undefined): string {
  if (left === undefined) return right ?? "";
  return right === undefined || left < right ? left : right;
}

/** The first unread record of a source. */
class Cursor<Record extends { readonly code: string }> {
  readonly #source: AsyncIterator<Record>;
  readonly #isUnique: boolean;
  head: Record | null = null;
  count = 0;

  constructor(source: AsyncIterable<Record>, isUnique: boolean) {
    this.#source = source[Symbol.asyncIterator]();
    this.#isUnique = isUnique;
  }

  async next(): Promise<void> {
    const before = this.head?.code;
    const { value, done } = await this.#source.next();
    this.head = done ? null : value;
    if (!this.head) return;
    this.count += 1;
    const { code } = this.head;
    if (before !== undefined && (code < before || (this.#isUnique && code === before))) {
      throw new NotSorted(`${code} comes after ${before}`);
    }
  }
}
