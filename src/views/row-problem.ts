import { maskProblem } from "#intake/masking.ts";
import type { Problem as RowProblem } from "#intake/text/problems.ts";

/** Formats a problem with the value that was found, or with the value masked. */
export const problemViewer = (isFull: boolean) => (problem: RowProblem) => {
  const seen = isFull ? problem : maskProblem(problem);
  const { code, severity, column, found: text, expected, correction, message } = seen;
  return { code, severity, column, found: text, expected, correction, message };
};
