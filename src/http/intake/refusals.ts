import { maskProblem } from "#intake/masking.ts";
import type { Problem as RowProblem } from "#intake/text/problems.ts";
import { wrongState } from "#http/intake/request-approval.ts";
import { notFound } from "#views/intake/batch.ts";
import { Problem } from "#api/app/problems.ts";
import type { Corrected } from "#ledger/intake/correct.ts";

/** Returns the problem for a correction that the ledger does not accept. */
export function refusedCorrection(
  batchId: string,
  refusal: Exclude<Corrected, { readonly kind: "known" | "corrected" }>,
): Problem {
  switch (refusal.kind) {
    case "not_found":
      return notFound(batchId);
    case "wrong_state":
      return wrongState(refusal.state);
    case "other_batch":
      return new Problem("other_batch", {
        detail: `This file belongs to batch ${refusal.batchId}.`,
        batch_id: refusal.batchId,
      });
  }
}

const PROBLEMS_LISTED_MAX = 200;

/** Returns the problem for a file that cannot be read, or whose reading must be confirmed. */
export function refusedFile(problems: readonly RowProblem[]): Problem {
  const proposals = problems.flatMap(({ proposal }) => proposal ?? []);
  if (proposals.length > 0) {
    return new Problem("reading_unconfirmed", {
      detail: problems.map(({ message, correction }) => `${message} ${correction}`).join(" "),
      proposal: {
        amounts: proposals.find(({ amounts }) => amounts)?.amounts ?? null,
        columns: proposals.find((each) => each.columns)?.columns ?? null,
      },
    });
  }
  return new Problem("file_unreadable", {
    detail: problems[0]?.message ?? "",
    problems: problems.slice(0, PROBLEMS_LISTED_MAX).map(maskProblem),
    problems_total: problems.length,
  });
}
