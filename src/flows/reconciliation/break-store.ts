import type { LedgerSteps } from "#ledger/ledger.ts";
import type { KnownTransaction } from "#ledger/reconciliation/known-elsewhere.ts";
import type { SortedSides } from "#ledger/reconciliation/sorted-records.ts";
import type { ComparedDay } from "#ledger/reconciliation/store-breaks.ts";
import { laneOf, laneParts } from "#payout/payout.ts";
import type { BreakClass, FoundBreak } from "#reconciliation/break-classes.ts";

/** The breaks that a comparison has stored. */
export interface Stored {
  /** Number of breaks by class. A class without breaks is absent. */
  readonly breaks: Readonly<Partial<Record<BreakClass, number>>>;
  /** Number of codes of deposits, and of payouts in other currencies of the merchant. */
  readonly others: number;
  /** The resolved breaks that are open again, because their values have changed. */
  readonly reopened: readonly number[];
}

/** Number of breaks that are stored together. */
const STORED_TOGETHER = 1_000;

/**
 * Number of breaks that wait for the end of the comparison. Stored breaks are locked until its
 * commit, and people who work on them would wait.
 */
const WAITING_MAX = 50_000;

/** Stores the breaks of a comparison. Its memory use is constant. */
export class BreakStore {
  readonly #compared: ComparedDay;
  readonly #steps: LedgerSteps["reconciliation"];
  readonly #breaks: Partial<Record<BreakClass, number>> = {};
  readonly #reopened: number[] = [];
  #waiting: FoundBreak[] = [];
  #others = 0;

  constructor(compared: ComparedDay, steps: LedgerSteps["reconciliation"]) {
    this.#compared = compared;
    this.#steps = steps;
  }

  /** Adds a break. It stores the waiting ones only while no page of `sides` is being read. */
  async add(found: FoundBreak, sides?: Pick<SortedSides, "idle">): Promise<void> {
    this.#waiting.push(found);
    if (this.#waiting.length < WAITING_MAX) return;
    await sides?.idle();
    await this.#flush();
  }

  /** Stores the remaining breaks. */
  async end(): Promise<Stored> {
    await this.#flush();
    return { breaks: this.#breaks, others: this.#others, reopened: this.#reopened };
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < waiting.length; at += STORED_TOGETHER) {
      const breaks = await this.#proven(waiting.slice(at, at + STORED_TOGETHER));
      for (const { class: kind } of breaks) this.#breaks[kind] = (this.#breaks[kind] ?? 0) + 1;
      if (breaks.length === 0) continue;
      this.#reopened.push(...(await this.#steps.storeBreaks(this.#compared, breaks)));
    }
  }

  /**
   * Looks up the codes that the lane does not have. Deposits of the lane and payouts in other
   * currencies of its merchant may be on its statement; of other transactions the break shows where
   * payrun has them.
   */
  async #proven(found: readonly FoundBreak[]): Promise<readonly FoundBreak[]> {
    const unmatched = found.filter((each) => each.class === "missing_in_ledger");
    if (unmatched.length === 0) return found;
    const codes = unmatched.map(({ code }) => code);
    const all = await this.#steps.findTransactionsWithCodes(codes);
    const known = Map.groupBy(all, ({ code }) => code);
    const proven: FoundBreak[] = [];
    for (const each of found) {
      const transactions = known.get(each.code);
      if (each.class !== "missing_in_ledger" || !transactions) proven.push(each);
      else if (this.#mayBeListed(each, transactions)) this.#others += 1;
      else {
        const places = transactions.map(({ kind, lane, state }) => `${kind} of ${lane}, ${state}`);
        proven.push({ ...each, ledger: [...new Set(places)].toSorted().join("; ") });
      }
    }
    return proven;
  }

  #mayBeListed({ first }: FoundBreak, transactions: readonly KnownTransaction[]): boolean {
    const { lane } = this.#compared;
    const { merchantCode } = laneParts(lane);
    const ofLine = first && laneOf(merchantCode, first.currency);
    return transactions.every((each) =>
      each.kind === "deposit" ? each.lane === lane : each.lane === ofLine && ofLine !== lane,
    );
  }
}
