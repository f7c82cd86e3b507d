import { visible } from "#base/invisible-characters.ts";
import { type Decimal, decimalOf, decimalText, isSame } from "#reconciliation/camt/decimal.ts";
import { type Element, childrenOf, elementAt, textAt } from "#reconciliation/camt/element.ts";
import type { CamtProblem } from "#reconciliation/camt/problem.ts";

/** The values that an entry states about its batches are compared with these. */
export interface BatchContent {
  readonly transactions: number;
  readonly amount: Decimal;
  readonly currency: string;
  /** Sum of the amounts of the transactions. Null: at least one states no amount. */
  readonly total: Decimal | null;
}

/**
 * Returns why the transactions of an entry are not those that its batches count. Null: they are, or
 * the entry does not count them. An entry without transactions reports its batch as one amount.
 */
export function batchProblem(entry: Element, content: BatchContent): CamtProblem | null {
  if (content.transactions === 0) return null;
  const batches = childrenOf(entry, "NtryDtls").flatMap((details) => childrenOf(details, "Btch"));
  const problem = (batch: Element, name: string, expected: string, found: string): CamtProblem => ({
    line: batch.line,
    column: `Ntry/NtryDtls/Btch/${name}`,
    message: "The transactions are not those that the batch counts. The file may be cut off.",
    expected,
    found,
  });
  const counts = batches.map((batch) => textAt(batch, "NbOfTxs")).filter(Boolean);
  const [first] = batches;
  if (!first) return null;
  // A batch without a number says nothing about the number of all transactions.
  if (counts.length === batches.length) {
    const isWhole = counts.every((count) => /^\d{1,15}$/.test(count));
    const stated = counts.reduce((sum, count) => sum + Number(count), 0);
    if (!isWhole || stated !== content.transactions) {
      const expected = isWhole ? String(stated) : visible(counts.join(" + "));
      return problem(first, "NbOfTxs", expected, String(content.transactions));
    }
  }
  const [stated] = batches.length === 1 ? [elementAt(first, "TtlAmt")] : [];
  if (!stated || (stated.attributes["Ccy"] ?? content.currency) !== content.currency) return null;
  const amount = decimalOf(stated.text);
  const known = [content.amount, ...(content.total ? [content.total] : [])];
  if (amount && known.some((each) => isSame(each, amount))) return null;
  const found = known.map((each) => decimalText(each)).join(" or ");
  return problem(first, "TtlAmt", visible(stated.text), found);
}
