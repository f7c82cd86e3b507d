import { BreakStore } from "#flows/reconciliation/break-store.ts";
import { comparedClasses } from "#flows/reconciliation/compared-classes.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { CodeKeys } from "#ledger/reconciliation/other-days.ts";
import type { ComparedDay } from "#ledger/reconciliation/store-breaks.ts";
import { matchSorted } from "#reconciliation/match.ts";

/** Number of codes that are compared together. */
const COMPARED_TOGETHER = 1_000;

/** Number of codes that wait for the end of the comparison, because compared breaks are locked. */
const WAITING_MAX = 20_000;

/**
 * Repeats the comparisons of other days for the codes on which they depend on this statement: a
 * payout that is listed on another day is not missing there, and a code that is completed on two
 * days is listed twice.
 */
export class OtherDays {
  readonly #compared: ComparedDay;
  readonly #steps: LedgerSteps["reconciliation"];
  readonly #days = new Set<string>();
  readonly #reopened: number[] = [];
  #waiting: string[] = [];
  #closed = 0;

  constructor(compared: ComparedDay, steps: LedgerSteps["reconciliation"]) {
    this.#compared = compared;
    this.#steps = steps;
  }

  /** Passes records through, and notes the codes of those that concern other days. */
  async *watch<Record extends { readonly code: string }>(
    records: AsyncIterable<Record>,
    concernsOthers: (record: Record) => boolean,
  ): AsyncGenerator<Record> {
    for await (const record of records) {
      if (concernsOthers(record)) this.#waiting.push(record.code);
      yield record;
    }
  }

  /** Adds the codes of the earlier statements of this day, on which other days may have counted. */
  async addReplaced(): Promise<void> {
    for (let after = ""; ; after = this.#waiting.at(-1) ?? "") {
      const page = { after, limit: COMPARED_TOGETHER };
      const codes = await this.#steps.findReplacedCodes(this.#compared, page);
      if (codes.length === 0) return;
      if (this.#waiting.length >= WAITING_MAX) await this.#flush();
      this.#waiting.push(...codes);
    }
  }

  /** Compares the remaining codes. Returns the days on which something was compared. */
  async end() {
    await this.#flush();
    return {
      closed: this.#closed,
      reopened: this.#reopened,
      days: [...this.#days].toSorted(),
    };
  }

  async #flush(): Promise<void> {
    const codes = [...new Set(this.#waiting)];
    this.#waiting = [];
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
    const { day, lane, startsAt: from, endsAt: to } = statement;
    const compared = { ...this.#compared, day, statementId: id };
    const store = new BreakStore(compared, this.#steps);
    const asked = { statementId: id, lane, from, to, only };
    const { ledger, statement: lines } = await this.#steps.openSortedSides(asked);
    for await (const found of matchSorted(ledger, lines)) await store.add(found);
    const { reopened } = await store.end();
    const classes = (await comparedClasses(statement, this.#steps)).filter(
      (kind) => kind !== "unexplained_movement",
    );
    const { codes } = only;
    this.#closed += await this.#steps.closeGoneBreaks(compared, { classes, codes });
    this.#reopened.push(...reopened);
    this.#days.add(day);
  }
}
