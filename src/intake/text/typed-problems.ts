import type { Problem, ProblemCode } from "#intake/text/problems.ts";

/** Problems whose sentences assume that a spreadsheet has changed the value. */
const OF_SPREADSHEETS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "lost_leading_zeros",
  "scientific_notation",
  "turned_into_date",
  "trailing_point_zero",
]);

/**
 * Words the problems of values that a person typed in the browser: no spreadsheet has changed them.
 *
 * @param columns the columns whose values were typed.
 */
export const typedProblems = (
  problems: readonly Problem[],
  columns: ReadonlySet<string | null>,
): readonly Problem[] =>
  problems.map((problem) =>
    OF_SPREADSHEETS.has(problem.code) && columns.has(problem.column) ? typed(problem) : problem,
  );

const typed = (problem: Problem): Problem => ({
  ...problem,
  message: `${problem.column} must be ${problem.expected}.`,
  correction: "Enter the full value, with its leading zeros.",
});
