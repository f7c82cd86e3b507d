import { FindingTally } from "#intake/findings.ts";
import type { Problem, Severity } from "#intake/text/problems.ts";
import type { Finding } from "#cli/batch/batches.ts";
import { styled, table } from "#cli/terminal/output.ts";
import { groupedAmount } from "#money/format.ts";

/** Formats one row per currency: how many rows can be paid, and their exact total. */
export function totalsTable(tally: FindingTally): readonly string[] {
  if (tally.totals.size === 0) return [];
  const rows = [...tally.totals].map(([currency, total]) => [
    `  ${currency}`,
    String(total.rows),
    groupedAmount(total.money),
  ]);
  return table([["  currency", "rows", "total"], ...rows], new Set([1, 2])).split("\n");
}

/** Formats the problems of one severity, grouped by correction, with the first affected lines. */
export const problemLines = (tally: FindingTally, severity: Severity): readonly string[] =>
  linesUnder("  ", findingsOf(tally, severity));

const findingsOf = (tally: FindingTally, severity: Severity): Finding[] =>
  tally.groups(severity).map(({ first, ...group }) => ({ ...group, example: first }));

/** Formats findings without headings. Each warning starts with "Warning:". */
export const findingLines = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap((each) =>
    linesUnder(each.example.severity === "warning" ? "Warning: " : "  ", [each]),
  );

/** Formats findings, each with the first affected lines. */
function linesUnder(lead: string, findings: readonly Finding[]): readonly string[] {
  return findings.flatMap(({ example, lines, count }) => {
    const { severity, message, found, expected, correction, code } = example;
    const colour = severity === "error" ? "red" : "yellow";
    const more =
      count > lines.length && lines.length > 0 ? ` and ${count - lines.length} more` : "";
    const where =
      lines.length > 0 ? `line${count > 1 ? "s" : ""} ${lines.join(", ")}${more}` : "the file";
    const shown = found === null || found === "" ? "" : `, found ${found}`;
    return [
      `${lead}${styled(colour, `${count} ×`)} ${message} ${styled("dim", `[${code}]`)}`,
      `      ${where}${shown}; expected ${expected}`,
      `      ${correction}`,
    ];
  });
}

/** Formats problems without headings, errors first. */
export function problemSummary(problems: readonly Problem[]): string {
  const tally = new FindingTally();
  tally.addProblems(problems);
  const found = [...findingsOf(tally, "error"), ...findingsOf(tally, "warning")];
  return findingLines(found).join("\n");
}
