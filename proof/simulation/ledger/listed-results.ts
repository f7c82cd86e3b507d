import { err, ok, type Result } from "#base/result.ts";
import { type LeftReason, SETTLED_BY_STATEMENT } from "#payout/action/payout-action.ts";
import { reasonCode } from "#payout/reasons.ts";
import { isTakenTwice } from "#payout/second-payment.ts";
import type { ListedLine, ListedResult, PayoutRow, Tables } from "./tables.ts";

/** LISTED_RESULT and NOT_RESOLVABLE of src/ledger/payout/action/qualification.ts in memory. */

/** Returns the result of a payout that the current statement lists, or why it is not resolved. */
export function resolvableResult(
  { listed }: Tables,
  payout: PayoutRow,
): Result<ListedResult, LeftReason> {
  const { state, reason, order, isRepeated, transitions } = payout;
  if (state !== "on_hold" && state !== "in_doubt") return err("not_resolvable");
  if (SETTLED_BY_STATEMENT.every((code) => code !== reasonCode(reason))) {
    return err("statement_not_enough");
  }
  const lines = listed.get(order.transactionCode) ?? [];
  const why = whyUnclear(payout, lines);
  if (why !== null) return err(why);
  const finding = lines.some(({ status }) => status !== "completed") ? "not_arrived" : "arrived";
  const wasPaidTwice = transitions.some((move) => isTakenTwice(reasonCode(move.reason)));
  if ((isRepeated && finding === "not_arrived") || wasPaidTwice) return err("statement_not_enough");
  return ok({ finding, evidence: lines.map(lineText).join("; ") });
}

const lineText = ({ status, currency, amount }: ListedLine): string =>
  `Statement: ${status}, ${currency} ${amount}`;

function whyUnclear(
  { order: { money }, gatewayNumber }: PayoutRow,
  lines: readonly ListedLine[],
): LeftReason | null {
  if (lines.length === 0) return "not_listed";
  const amount = money.minor * 10n ** BigInt(2 - money.minorDigits);
  if (lines.some((line) => line.currency !== money.currency || line.amount !== amount)) {
    return "amount_differs";
  }
  if (gatewayNumber !== null && lines.some((line) => line.gatewayNumber !== gatewayNumber)) {
    return "gateway_number_differs";
  }
  const completed = lines.filter(({ status }) => status === "completed");
  const failed = lines.filter(({ status }) => status === "failed");
  const returned = lines.filter(({ status }) => status === "returned");
  const numbers = new Set(lines.map((line) => line.gatewayNumber));
  if (numbers.size > 1 || completed.length > 1 || failed.length + returned.length > 1) {
    return "listed_twice";
  }
  const [[paid], [refused]] = [completed, failed];
  return paid && refused && refused.atMs <= paid.atMs ? "contradictory" : null;
}
