import { type Problem, PROBLEMS, type Severity } from "#intake/text/problems.ts";
import type { RowVerdict } from "#intake/row.ts";
import { formatMoney } from "#money/format.ts";
import { add, type Money } from "#money/money.ts";

const LINES_SHOWN = 5;
/** Maximum number of problems listed individually. All problems are counted. */
const PROBLEMS_LISTED_MAX = 10_000;

/** Identifies problems that are corrected in the same way. */
export interface FindingName extends Pick<Problem, "severity" | "code" | "column"> {
  /**
   * A text that is specific to one currency or fault, and does not apply to other rows. "": it
   * applies to all.
   */
  readonly sentence: string;
}

/** Returns the part of a problem that all its rows have in common. */
export const findingName = ({ severity, code, column, message }: Problem): FindingName => {
  const isSpecific = /\{(?:currency|fault)\}/.test(PROBLEMS[code].message);
  return { severity, code, column, sentence: isSpecific ? message : "" };
};

/** Returns the text under which equal findings are counted. */
export const findingKey = ({ severity, code, column, sentence }: FindingName): string =>
  `${severity} ${code} ${column ?? ""} ${sentence}`;

/**
 * A group of problems with one correction: the same problem in the same column with the same text.
 */
export interface FindingGroup {
  readonly first: Problem;
  readonly lines: number[];
  count: number;
}

/** Counts the problems of a file in memory that does not grow with the file. */
export class FindingTally {
  readonly totals = new Map<string, { rows: number; money: Money }>();
  readonly listed: Problem[] = [];
  problems = 0;
  readonly #groups = new Map<string, FindingGroup>();

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
      const key = findingKey(findingName(problem));
      const group = this.#groups.get(key) ?? { first: problem, lines: [], count: 0 };
      this.#groups.set(key, group);
      group.count++;
      if (problem.line !== null && group.lines.length < LINES_SHOWN) group.lines.push(problem.line);
    }
  }

  /** Returns the largest groups first. */
  groups(severity: Severity): readonly FindingGroup[] {
    return [...this.#groups.values()]
      .filter(({ first }) => first.severity === severity)
      .toSorted((a, b) => b.count - a.count);
  }

  /** Returns the exact total of the payable rows per currency, as decimal text. */
  totalTexts(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.totals].map(([currency, { money }]) => [currency, formatMoney(money)]),
    );
  }
}
