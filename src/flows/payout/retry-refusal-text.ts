import type { RetryBatchRefusal } from "#flows/payout/retry-batch.ts";

const LINES_LISTED_MAX = 20;

const linesText = (lines: readonly number[]): string => {
  const shown = lines.slice(0, LINES_LISTED_MAX).join(", ");
  const more = lines.length - LINES_LISTED_MAX;
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${more > 0 ? ` and ${more} more` : ""}`;
};

/** States why no retry batch was created, as text for people. */
export function refusalText(id: string, refusal: RetryBatchRefusal): string {
  switch (refusal.kind) {
    case "not_found":
      return `There is no batch ${id}.`;
    case "frozen":
      return "The ledger is frozen: it may have lost the record of earlier retries.";
    case "nothing":
      return `Batch ${id} has no declined payouts that can be retried.`;
    case "paid_again": {
      const { batchIds } = refusal;
      const where =
        batchIds.length > 0 ? `retry batch ${batchIds.join(", ")}` : "another retry batch";
      return `The declined payouts of batch ${id} are already in ${where}. Each row can be in at most two retry batches, including cancelled ones.`;
    }
    case "no_valid_rows":
      return `No declined row of batch ${id} passes the current checks: ${refusal.why}`;
    case "needs_new_details": {
      const { lines } = refusal;
      const which = lines.length === 0 ? `of batch ${id}` : `in ${linesText(lines)}`;
      return `The gateway refused the details of the declined payouts ${which}, so they are never retried unchanged. Edit the refused details first.`;
    }
    case "needs_reason":
      return `The gateway did not say why it declined the payouts in ${linesText(refusal.lines)}. Explain why they can be retried unchanged, or edit their details.`;
    case "returned_changed": {
      const totals = refusal.totals.map(({ currency, amount }) => `${currency} ${amount}`);
      return `The confirmed totals do not match the returned payouts of batch ${id}, which are ${totals.join(", ") || "none"}. Check the returned payouts again.`;
    }
    case "invalid_edits": {
      const { problems, notRetryable } = refusal;
      const [first] = problems;
      return first
        ? `Line ${first.line}: ${first.message}`
        : `The payouts in ${linesText(notRetryable)} cannot be retried.`;
    }
  }
}
