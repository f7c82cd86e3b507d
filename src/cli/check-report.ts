import type { Problem, Severity } from "#batch/problems.ts";
import type { RowVerdict } from "#batch/row.ts";
import { styled, table } from "#cli/output.ts";
import { formatMoney } from "#money/format.ts";
import { add, type Money } from "#money/money.ts";

const LINES_SHOWN = 5;
/** How many problems `--json` lists; all are counted. */
const PROBLEMS_LISTED_MAX = 10_000;

interface Group {
  readonly first: Problem;
  readonly lines: number[];
  count: number;
}

/** Adds up what a check finds, in memory that does not grow with the file. */
export class CheckTally {
  readonly totals = new Map<string, { rows: number; money: Money }>();
  readonly listed: Problem[] = [];
  problems = 0;
  readonly #groups = new Map<string, Group>();

  addRow(verdict: RowVerdict): void {
    if (verdict.kind === "rejected") {
      this.addProblems(verdict.problems);
      return;
    }
    const { money } = verdict.draft;
    const total = this.totals.get(money.currency);
    if (total) {
      total.rows++;
      total.money = add(total.money, money);
    } else this.totals.set(money.currency, { rows: 1, money });
    if (verdict.warnings.length > 0) this.addProblems(verdict.warnings);
  }

  addProblems(problems: readonly Problem[]): void {
    for (const problem of problems) {
      this.problems++;
      if (this.listed.length < PROBLEMS_LISTED_MAX) this.listed.push(problem);
      // One repair, one group: the same code in the same column.
      const key = `${problem.severity} ${problem.code} ${problem.column}`;
      const group = this.#groups.get(key) ?? { first: problem, lines: [], count: 0 };
      this.#groups.set(key, group);
      group.count++;
      if (problem.line !== null && group.lines.length < LINES_SHOWN) group.lines.push(problem.line);
    }
  }

  /** The largest groups first. */
  groups(severity: Severity): readonly Group[] {
    return [...this.#groups.values()]
      .filter(({ first }) => first.severity === severity)
      .toSorted((a, b) => b.count - a.count);
  }

  /** Currency to exact total of the rows that can be paid, as decimal text. */
  totalTexts(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.totals].map(([currency, { money }]) => [currency, formatMoney(money)]),
    );
  }
}

/** One row per currency: how many rows can be paid, and their exact sum. */
export function totalsTable(tally: CheckTally): readonly string[] {
  if (tally.totals.size === 0) return [];
  const rows = [...tally.totals].map(([currency, total]) => [
    `  ${currency}`,
    String(total.rows),
    formatMoney(total.money),
  ]);
  return table([["  currency", "rows", "total"], ...rows], new Set([1, 2])).split("\n");
}

/** The problems of one severity, grouped by repair, with the lines to look at first. */
export function problemLines(tally: CheckTally, severity: Severity): readonly string[] {
  const colour = severity === "error" ? "red" : "yellow";
  return tally.groups(severity).flatMap(({ first, lines, count }) => {
    const { message, found, expected, repair, code } = first;
    const more =
      count > lines.length && lines.length > 0 ? ` and ${count - lines.length} more` : "";
    const where =
      lines.length > 0 ? `line${count > 1 ? "s" : ""} ${lines.join(", ")}${more}` : "the file";
    const shown = found === null || found === "" ? "" : `, found ${found}`;
    return [
      `  ${styled(colour, `${count} ×`)} ${message} ${styled("dim", `[${code}]`)}`,
      `      ${where}${shown}; expected ${expected}`,
      `      ${repair}`,
    ];
  });
}

/** The same for problems that are at hand: errors first. */
export function problemSummary(problems: readonly Problem[]): string {
  const tally = new CheckTally();
  tally.addProblems(problems);
  return [...problemLines(tally, "error"), ...problemLines(tally, "warning")].join("\n");
}
