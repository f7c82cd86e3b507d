import type { Problem } from "#intake/text/problems.ts";
import type { amountOf } from "#money/format.ts";

/** A currency and an exact decimal. */
export type AmountText = ReturnType<typeof amountOf>;

/** Why no retry batch was created. */
export type RetryBatchRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "frozen" }
  /** No declined payout can be retried. `returned`: the totals of returned ones. */
  | { readonly kind: "nothing"; readonly returned: readonly AmountText[] }
  /**
   * Other batches already retry these payouts, or were created to, as often as is permitted; or
   * another request is creating a retry batch at this moment.
   */
  | { readonly kind: "paid_again"; readonly batchIds: readonly string[] }
  /** No row passes the current checks. */
  | { readonly kind: "no_valid_rows"; readonly why: string }
  /** The gateway refused the content of these lines, so they are never retried unchanged. */
  | { readonly kind: "needs_new_details"; readonly lines: readonly number[] }
  /** The cause of these payouts is unknown: an unchanged retry needs a reason. */
  | { readonly kind: "needs_reason"; readonly lines: readonly number[] }
  /** The confirmed totals of the returned payouts are not, or no longer, correct. */
  | { readonly kind: "returned_changed"; readonly totals: readonly AmountText[] }
  /** The edited rows have problems, or their payouts cannot be retried. */
  | {
      readonly kind: "invalid_edits";
      readonly problems: readonly Problem[];
      readonly notRetryable: readonly number[];
    };

const LINES_LISTED_MAX = 20;

const linesText = (lines: readonly number[]): string => {
  const shown = lines.slice(0, LINES_LISTED_MAX).join(", ");
  const more = lines.length - LINES_LISTED_MAX;
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${more > 0 ? ` and ${more} more` : ""}`;
};

const totalsText = (totals: readonly AmountText[]): string =>
  totals.map(({ currency, amount }) => `${currency} ${amount}`).join(", ");

/** States why no retry batch was created, as text for people. */
export function refusalText(id: string, refusal: RetryBatchRefusal): string {
  switch (refusal.kind) {
    case "not_found":
      return `There is no batch ${id}.`;
    case "frozen":
      return "The ledger is frozen: it may have lost the record of earlier retries.";
    case "nothing": {
      const { returned } = refusal;
      if (returned.length === 0) return `Batch ${id} has no declined payouts that can be retried.`;
      const option = returned.map(({ currency, amount }) => `${currency}=${amount}`).join(",");
      return `No declined payout of batch ${id} can be retried, but returned payouts can: ${totalsText(returned)}. To retry them, confirm their totals with --returned ${option} and give a reason with --reason, or use the fields “returned” and “reason” of the API.`;
    }
    case "paid_again": {
      const { batchIds } = refusal;
      const where =
        batchIds.length > 0 ? `retry batch ${batchIds.join(", ")}` : "another retry batch";
      return `These payouts of batch ${id} are already in ${where}. Each row can be in at most two retry batches, including cancelled ones.`;
    }
    case "no_valid_rows":
      return `No declined row of batch ${id} passes the current checks: ${refusal.why}`;
    case "needs_new_details": {
      const { lines } = refusal;
      const which = lines.length === 0 ? `of batch ${id}` : `in ${linesText(lines)}`;
      return `The gateway refused the details of the declined payouts ${which}, so they are never retried unchanged. Edit the refused details first.`;
    }
    case "needs_reason":
      return `An unchanged retry of the payouts in ${linesText(refusal.lines)} needs a reason. Explain why they can be retried unchanged, or edit their details.`;
    case "returned_changed":
      return `The confirmed totals do not match the returned payouts of batch ${id}, which are ${totalsText(refusal.totals) || "none"}. Check the returned payouts again.`;
    case "invalid_edits": {
      const { problems, notRetryable } = refusal;
      const [first] = problems;
      return first
        ? `Line ${first.line}: ${first.message}`
        : `The payouts in ${linesText(notRetryable)} cannot be retried.`;
    }
  }
}
