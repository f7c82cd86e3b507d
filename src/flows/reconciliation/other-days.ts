import { BreakStore } from "#flows/reconciliation/break-store.ts";
import { CountedDays } from "#flows/reconciliation/counted-days.ts";
import { comparedClasses } from "#flows/reconciliation/compared-classes.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { CodeKeys } from "#ledger/reconciliation/other-days.ts";
import type { DayToCompare, SortedSides } from "#ledger/reconciliation/sorted-records.ts";
import type { ComparedDay } from "#ledger/reconciliation/store-breaks.ts";
import { matchSorted } from "#reconciliation/match.ts";

/** Number of codes that are compared together. */
const COMPARED_TOGETHER = 1_000;

/**
 * Number of codes that wait for the end of the comparison, because compared breaks are locked. The
 * sides are read again for further codes.
 */
const WAITING_MAX = 100_000;

/**
 * Repeats the comparisons of other days for the codes on which they depend on this statement: a
 * payout that is listed on another day is not missing there, and a code that is completed on two
 * days is listed twice.
 */
export class OtherDays {
  readonly #compared: ComparedDay;
  readonly #steps: LedgerSteps["reconciliation"];
  readonly #waitingMax: number;
  readonly #days = new Set<string>();
  readonly #reopened: number[] = [];
  readonly #waiting = new Set<string>();
  /** The first code that did not fit into `#waiting`. */
  #rest: string | null = null;
  #asked: DayToCompare | null = null;
  #closed = 0;

  constructor(
    compared: ComparedDay,
    steps: LedgerSteps["reconciliation"],
    waitingMax: number = WAITING_MAX,
  ) {
    this.#compared = compared;
    this.#steps = steps;
    this.#waitingMax = waitingMax;
  }

  /** Compares both sides, and notes the codes and the payouts that concern other days. */
  async match(
    asked: DayToCompare,
    counted: CountedDays = new CountedDays(asked),
  ): Promise<{
    readonly matches: ReturnType<typeof matchSorted>;
    readonly sides: SortedSides;
  }> {
    this.#asked = asked;
    const sides = await this.#steps.openSortedSides(asked);
    const matches = matchSorted(sides.ledger, sides.statement, {
      payout: (record) => {
        const isOfOtherDay = !record.hasSettledOnDay || record.isListedElsewhere;
        // Another day may be the one of its return, which this statement may list.
        if (isOfOtherDay || record.state === "returned") this.#note(record.code);
      },
      line: (record) => {
        if (record.isListedElsewhere) this.#note(record.code);
      },
      completed: (record, line) => counted.add(record, line),
    });
    return { matches, sides };
  }

  #note(code: string): void {
    // Both sides, and several lines, can have the code.
    if (this.#waiting.has(code)) return;
    if (this.#waiting.size < this.#waitingMax) this.#waiting.add(code);
    else if (this.#rest === null || code < this.#rest) this.#rest = code;
  }

  /** Adds codes whose comparison is to be repeated. */
  async add(codes: readonly string[]): Promise<void> {
    for (const code of codes) {
      if (this.#waiting.size >= this.#waitingMax) await this.#flush();
      this.#waiting.add(code);
    }
  }

  /** Adds the codes of the earlier statements of this day, on which other days may have counted. */
  async addReplaced(): Promise<void> {
    for (let after: string | undefined = ""; ; ) {
      const page = { after, limit: COMPARED_TOGETHER };
      const codes = await this.#steps.findReplacedCodes(this.#compared, page);
      after = codes.at(-1);
      if (after === undefined) return;
      if (this.#waiting.size >= this.#waitingMax) await this.#flush();
      for (const code of codes) this.#waiting.add(code);
    }
  }

  /** Compares the remaining codes. Returns the days on which something was compared. */
  async end() {
    await this.#flush();
    while (this.#rest !== null && this.#asked) {
      const asked = { ...this.#asked, from: this.#rest };
      this.#rest = null;
      // The codes are noted in their order, so that those that wait are the first ones.
      const { matches } = await this.match(asked);
      for await (const _ of matches);
      await this.#flush();
    }
    return {
      closed: this.#closed,
      reopened: this.#reopened,
      days: [...this.#days].toSorted(),
    };
  }

  async #flush(): Promise<void> {
    const codes = [...this.#waiting];
    this.#waiting.clear();
    const { lane } = this.#compared;
    for (let at = 0; at < codes.length; at += COMPARED_TOGETHER) {
      const part = codes.slice(at, at + COMPARED_TOGETHER);
      const keys = await this.#steps.findCodeKeys(lane, part);
      for (const id of await this.#steps.findStatementsOfCodes(this.#compared, keys)) {
        await this.#compare(id, keys);
      }
    }
  }

  async #compare(id: string, only: CodeKeys): Promise<void> {
    const statement = await this.#steps.findStatementById(id);
    if (!statement) throw new Error(`there is no statement ${id}`);
    const { day, lane, startsAt, endsAt } = statement;
    const compared = { ...this.#compared, day, statementId: id };
    const store = new BreakStore(compared, this.#steps);
    const asked = { statementId: id, lane, startsAt, endsAt, only };
    const sides = await this.#steps.openSortedSides(asked);
    const counted = new CountedDays(asked);
    const matches = matchSorted(sides.ledger, sides.statement, {
      completed: (record, line) => counted.add(record, line),
    });
    for await (const found of matches) await store.add(found, sides);
    const { reopened } = await store.end();
    await this.#steps.storeCountedDays(compared, {
      found: counted.found,
      compared: only.payoutIds,
    });
    const classes = (await comparedClasses(statement, this.#steps)).filter(
      (kind) => kind !== "unexplained_movement",
    );
    const { codes } = only;
    this.#closed += await this.#steps.closeGoneBreaks(compared, { classes, codes });
    this.#reopened.push(...reopened);
    this.#days.add(day);
  }
}
