import { type Problem, PROBLEMS, type Severity } from "#batch/problems.ts";
import type { RowVerdict } from "#batch/row.ts";
import { formatMoney } from "#money/format.ts";
import { add, type Money } from "#money/money.ts";

const LINES_SHOWN = 5;
/** How many problems are listed one by one; all are counted. */
const PROBLEMS_LISTED_MAX = 10_000;

/** What is repaired in one way. */
export interface FindingName extends Pick<Problem, "severity" | "code" | "column"> {
  /** A sentence about one currency, which is not true of the rows of another; "": any. */
  readonly sentence: string;
}

export const findingName = ({ severity, code, column, message }: Problem): FindingName => {
  const isOfCurrency = PROBLEMS[code].message.includes("{currency}");
  return { severity, code, column, sentence: isOfCurrency ? message : "" };
};

export const findingKey = ({ severity, code, column, sentence }: FindingName): string =>
  `${severity} ${code} ${column ?? ""} ${sentence}`;

/** One repair, one group: the same problem in the same column, in the same words. */
export interface FindingGroup {
  readonly first: Problem;
  readonly lines: number[];
  count: number;
}

/** Adds up what is found in a file, in memory that does not grow with the file. */
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

  /** The largest groups first. */
  groups(severity: Severity): readonly FindingGroup[] {
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
