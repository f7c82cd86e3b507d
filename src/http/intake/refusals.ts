import type { RowProblem as InvalidValue } from "#api/intake/rows.ts";
import { maskProblem } from "#intake/masking.ts";
import type { Problem as RowProblem } from "#intake/text/problems.ts";
import { wrongState } from "#http/intake/request-approval.ts";
import { notFound } from "#views/intake/batch.ts";
import { problemViewer } from "#views/row-problem.ts";
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
    case "content_changed":
      return new Problem("content_changed");
    case "other_batch":
      return new Problem("other_batch", {
        detail: `This file belongs to batch ${refusal.batchId}.`,
        batch_id: refusal.batchId,
      });
  }
}

/**
 * Returns the problem for invalid rows of a request, with each problem and its place in the body.
 *
 * @param firstLine line of the first row. Null: the body is one row.
 */
export function refusedRows(problems: readonly RowProblem[], firstLine: number | null): Problem {
  const shown = problemViewer(false);
  const rows = new Set(problems.map(({ line }) => line)).size;
  const count = rows === 1 ? "One row is" : `${rows} rows are`;
  return new Problem("rows_invalid", {
    detail: `${firstLine === null ? "The payout is" : count} invalid, so no row was stored. Correct the values that \`problems\` lists, then repeat the request.`,
    problems: problems.map((problem): InvalidValue => {
      const row = firstLine === null || problem.line === null ? null : problem.line - firstLine;
      const path = [
        ...(row === null ? [] : ["rows", row]),
        ...(problem.column === null ? [] : [problem.column]),
      ];
      return { row, pointer: path.map((part) => `/${part}`).join(""), ...shown(problem) };
    }),
  });
}

const PROBLEMS_LISTED_MAX = 200;

/** Returns the problem for a file that cannot be read, or whose reading must be confirmed. */
export function refusedFile(problems: readonly RowProblem[]): Problem {
  const proposals = problems.flatMap(({ proposal }) => proposal ?? []);
  if (proposals.length > 0) {
    return new Problem("reading_unconfirmed", {
      detail: problems.map(({ message, correction }) => `${message} ${correction}`).join(" "),
      proposal: {
        currency: proposals.find((each) => each.currency)?.currency ?? null,
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
