import type { PayoutState } from "#payout/payout-lifecycle.ts";
import {
  amountText,
  type BreakClass,
  type FoundBreak,
  identityText,
  isEqualAmount,
  lineText,
  recordText,
} from "#reconciliation/break-classes.ts";
import type {
  ExactAmount,
  LedgerRecord,
  StatementRecord,
  StatementStatus,
} from "#reconciliation/records.ts";

/**
 * The results on a statement that agree with each state of the ledger. A payout that has been
 * returned was completed on the statement of an earlier day: `isReturnExpected` is about the day of
 * its return.
 */
// biome-ignore format: the columns are the point
const AGREEING: Readonly<Record<PayoutState, readonly StatementStatus[]>> = {
  awaiting_approval: [],
  approved:          [],
  held_back:         [],
  cancelled:         [],
  submitting:        ["pending"],
  in_doubt:          ["pending"],
  accepted:          ["pending"],
  on_hold:           ["pending"],
  settled:           ["completed"],
  declined:          ["failed"],
  returned:          ["completed", "failed", "returned"],
  resolved:          ["failed", "returned"],
};

/**
 * Returns the class of a difference between two results. Null: they agree. A pending line shows the
 * result at the end of its day, when the payout may still have been in progress.
 */
function statusClass(record: LedgerRecord, status: StatementStatus): BreakClass | null {
  const { state, arrived, hadSettled, wasInProgress, isListedElsewhere } = record;
  const known = state === "resolved" && arrived ? "settled" : state;
  if (AGREEING[known].includes(status)) return null;
  // The money arrived, and came back before two people resolved the payout.
  if (known === "resolved" && hadSettled && status === "completed") return null;
  if (status === "pending" && (wasInProgress || isListedElsewhere)) return null;
  return known === "settled" && status === "returned" ? "late_return" : "status";
}

/** Returns whether a line shows money that moved under another number of the gateway. */
function hasOtherNumber({ gatewayNumber }: LedgerRecord, line: StatementRecord): boolean {
  const hasMoved = line.status === "completed" || line.status === "returned";
  const isKnown = gatewayNumber !== null && line.gatewayNumber !== null;
  return hasMoved && isKnown && gatewayNumber !== line.gatewayNumber;
}

/** Returns whether one of these results shows that the money came back. */
const hasReturn = (results: readonly StatementStatus[]): boolean =>
  results.includes("returned") || results.includes("failed");

/**
 * Returns whether a payout and its only line have no break. It writes no texts, so that the codes
 * that agree, which are almost all, cost little. A `CodeComparison` finds the same.
 */
export function isAgreed(record: LedgerRecord, line: StatementRecord): boolean {
  return (
    line.alsoCompleted === null &&
    record.currency === line.currency &&
    isEqualAmount(record.amount, line.amount) &&
    (!record.fee || !line.fee || isEqualAmount(record.fee, line.fee)) &&
    !hasOtherNumber(record, line) &&
    (!record.isReturnExpected || hasReturn([line.status])) &&
    statusClass(record, line.status) === null
  );
}

/** Maximum number of different values and lines that a break shows. */
const SHOWN_MAX = 10;

/** Different texts, of which the first ones are shown. */
class Texts {
  readonly #shown = new Set<string>();
  #hasMore = false;

  add(text: string): void {
    if (this.#shown.has(text)) return;
    if (this.#shown.size < SHOWN_MAX) this.#shown.add(text);
    else this.#hasMore = true;
  }

  /** Returns the texts in an order that does not depend on the order of the lines. */
  toString(): string {
    return [...this.#shown].toSorted().join("; ") + (this.#hasMore ? "; …" : "");
  }
}

/** The lines of one code and one gateway number: one transaction of the gateway. */
interface SameNumber {
  readonly counts: Record<StatementStatus, number>;
  readonly texts: Texts;
  completedAt: Date | null;
  failedAt: Date | null;
}

/**
 * Returns the results of one transaction of the gateway. A transaction that was completed and then
 * failed has come back, like a returned one. Two results whose order is unknown both count.
 */
function resultsOf({ counts, completedAt, failedAt }: SameNumber): readonly StatementStatus[] {
  if (counts.returned > 0) return ["returned"];
  if (counts.completed > 0 && counts.failed > 0) {
    if (!completedAt || !failedAt || +completedAt === +failedAt) return ["completed", "failed"];
    return failedAt > completedAt ? ["returned"] : ["completed"];
  }
  if (counts.completed > 0) return ["completed"];
  return counts.failed > 0 ? ["failed"] : ["pending"];
}

const isRepeated = ({ counts }: SameNumber): boolean =>
  counts.completed > 1 || counts.pending > 1 || counts.returned + counts.failed > 1;

/** The breaks of one class: their values are shown together. */
interface Difference {
  readonly ledger: string | null;
  readonly statement: Texts;
}

/**
 * Compares the records of one code: at most one payout, and every line of the statement. Its memory
 * use does not depend on the number of lines.
 */
export class CodeComparison {
  readonly #code: string;
  readonly #record: LedgerRecord | null;
  readonly #differences = new Map<BreakClass, Difference>();
  readonly #numbers = new Map<string | null, SameNumber>();
  readonly #identities = new Texts();
  readonly #elsewhere = new Texts();
  readonly #lines: number[] = [];
  #first: StatementRecord | null = null;
  /** The last completed line. */
  completed: StatementRecord | null = null;
  #isTwice = false;
  #isElsewhere = false;
  #count = 0;

  constructor(code: string, record: LedgerRecord | null) {
    this.#code = code;
    this.#record = record;
  }

  /** Compares one more line with the payout. */
  add(line: StatementRecord): void {
    this.#first ??= line;
    if (line.status === "completed") this.completed = line;
    this.#count += 1;
    if (this.#lines.length < SHOWN_MAX) this.#lines.push(line.line);
    this.#identities.add(identityText(line));
    if (line.alsoCompleted !== null) {
      this.#isElsewhere = true;
      this.#elsewhere.add(`also completed on the statement of ${line.alsoCompleted}`);
    }
    this.#addResult(line);
    if (this.#record) this.#compareValues(this.#record, line);
  }

  #addResult(line: StatementRecord): void {
    const { gatewayNumber, status, at } = line;
    const known = this.#numbers.get(gatewayNumber) ?? {
      counts: { completed: 0, failed: 0, pending: 0, returned: 0 },
      texts: new Texts(),
      completedAt: null,
      failedAt: null,
    };
    // Further numbers are only counted: the code is listed twice.
    if (this.#numbers.size < SHOWN_MAX) this.#numbers.set(gatewayNumber, known);
    known.counts[status] += 1;
    known.texts.add(lineText(line));
    if (status === "completed") known.completedAt = at;
    if (status === "failed") known.failedAt = at;
    this.#isTwice ||= this.#numbers.size > 1 || isRepeated(known);
  }

  #compareValues(record: LedgerRecord, line: StatementRecord): void {
    const { currency, amount, fee, gatewayNumber: number } = record;
    if (currency !== line.currency) {
      this.#add("currency", amountText(amount, currency), amountText(line.amount, line.currency));
    } else {
      if (!isEqualAmount(amount, line.amount)) this.#compareAmounts(record, line);
      if (fee && line.fee && !isEqualAmount(fee, line.fee)) {
        this.#add("fee", amountText(fee, currency), amountText(line.fee, currency));
      }
    }
    if (hasOtherNumber(record, line)) this.#add("gateway_number", number, line.gatewayNumber ?? "");
  }

  /** The texts have the results if no money moved, or if the results differ too. */
  #compareAmounts(record: LedgerRecord, line: StatementRecord): void {
    const { status } = line;
    const hasResults =
      status === "failed" || status === "returned" || statusClass(record, status) !== null;
    const textOf = (result: string, amount: ExactAmount) =>
      [hasResults ? result : [], amountText(amount, record.currency)].flat().join(", ");
    this.#add("amount", textOf(record.state, record.amount), textOf(status, line.amount));
  }

  #add(kind: BreakClass, ledger: string | null, statement: string): void {
    const known = this.#differences.get(kind) ?? { ledger, statement: new Texts() };
    this.#differences.set(kind, known);
    known.statement.add(statement);
  }

  /** Returns the breaks of the code. */
  end(): readonly FoundBreak[] {
    const record = this.#record;
    if (!this.#first) {
      return record?.isExpected || record?.isReturnExpected ? [this.#missing(record)] : [];
    }
    for (const each of this.#numbers.values()) {
      if (!record) this.#add("missing_in_ledger", null, each.texts.toString());
      else {
        for (const status of resultsOf(each)) {
          const kind = statusClass(record, status);
          if (kind) this.#add(kind, recordText(record), each.texts.toString());
        }
      }
    }
    if (record?.isReturnExpected) this.#addReturn(record);
    if (this.#isTwice || this.#isElsewhere) this.#addListedTwice(record);
    return [...this.#differences].map(([kind, { ledger, statement }]) =>
      this.#found(kind, ledger, statement.toString()),
    );
  }

  /** The statement lists the payout, but not that it came back on this day. */
  #addReturn(record: LedgerRecord): void {
    const all = [...this.#numbers.values()];
    if (hasReturn(all.flatMap(resultsOf))) return;
    for (const { texts } of all) this.#add("status", recordText(record), texts.toString());
  }

  #addListedTwice(record: LedgerRecord | null): void {
    const all = [...this.#numbers.values()].map(({ texts }) => texts.toString()).toSorted();
    const counted = this.#count > 1 ? `${this.#count} lines: ` : "";
    const here = `${counted}${all.join("; ")}`;
    const also = this.#isElsewhere ? `; ${this.#elsewhere.toString()}` : "";
    this.#add("listed_twice", record && recordText(record), `${here}${also}`);
  }

  #missing(record: LedgerRecord): FoundBreak {
    return this.#found("missing_at_gateway", recordText(record), null);
  }

  #found(kind: BreakClass, ledger: string | null, statement: string | null): FoundBreak {
    const record = this.#record;
    return {
      class: kind,
      code: this.#code,
      payoutId: record?.payoutId ?? null,
      lines: this.#lines,
      ledger,
      statement,
      basis: `${record ? identityText(record) : ""} | ${this.#identities.toString()}`,
      first: this.#first,
    };
  }
}
