import type { BreakClass } from "#reconciliation/break-classes.ts";
import type { AppliedDefect } from "#simulator/statements/defects.ts";
import type { SettledDay } from "../../bench/settled-day.ts";
import { type Fate, fateOf, rowsOf } from "./mixed-day.ts";

/** The class of the break that each defect of a row must cause. */
const CLASS_OF: Readonly<Record<AppliedDefect["defect"], BreakClass | null>> = {
  missing: "missing_at_gateway",
  // They depend on the payout: see addDay.
  truncated: null,
  return_truncated: null,
  foreign: "missing_in_ledger",
  doubled: "listed_twice",
  plus_one: "amount",
  minus_one: "amount",
  other_currency: "currency",
  wrong_fee: "fee",
  wrong_status: "status",
  late_return: "late_return",
};

/** Name of a payout that counts on the day of its statement instead of that of its settlement. */
export const COUNTED = "counted_here";

/** Fates of the payouts that defects strike: their breaks follow from the defect alone. */
const STRUCK: readonly Fate[] = ["settled", "arrived", "over_midnight"];

/** The payouts of a day that no defect strikes. */
export const sparedIn = (day: SettledDay): string[] =>
  Array.from({ length: day.payouts }, (_, place) => place)
    .filter((place) => !STRUCK.includes(fateOf(place)))
    .map((place) => codeOf(day, place));

const codeOf = (day: SettledDay, place: number): string => {
  const { today, tomorrow } = rowsOf(day, place);
  return today[0]?.code ?? tomorrow[0]?.code ?? "";
};

/** The breaks that the statements of one lane must cause, by day. */
export class ExpectedBreaks {
  readonly #lane: string;
  readonly names = new Set<string>();
  #before: { readonly day: SettledDay; readonly lost: ReadonlySet<string> } | null = null;

  constructor(lane: string) {
    this.#lane = lane;
  }

  add(day: string, kind: BreakClass, code: string): void {
    this.names.add(`${this.#lane} ${day} ${kind} ${code}`);
  }

  /** Adds a payout that counts on a day although payrun recorded its settlement on the next. */
  #addCounted(day: string, code: string): void {
    this.names.add(`${this.#lane} ${day} ${COUNTED} ${code}`);
  }

  /** Adds the breaks of a day, after its statement has been damaged. */
  addDay(day: SettledDay, applied: readonly AppliedDefect[]): void {
    const lost = new Set<string>();
    const lostReturns = new Set<string>();
    for (const { defect, code } of applied) {
      const kind = CLASS_OF[defect];
      if (kind) this.add(day.day, kind, code);
      if (defect === "truncated") lost.add(code);
      if (defect === "return_truncated") lostReturns.add(code);
    }
    if (this.#before) this.#addYesterday(this.#before, day, lost);
    this.#before = { day, lost };
    for (let place = 0; place < day.payouts; place += 1) {
      if (fateOf(place) !== "recorded_later") continue;
      const code = codeOf(day, place);
      if (!lost.has(code)) this.#addCounted(day.day, code);
    }
    for (let place = 0; place < day.payouts && lost.size > 0; place += 1) {
      const fate = fateOf(place);
      if (!["settled", "arrived", "back", "back_unlisted"].includes(fate)) continue;
      const code = codeOf(day, place);
      if (lost.has(code)) this.add(day.day, "missing_at_gateway", code);
      if (fate === "back" && lostReturns.has(code)) this.add(day.day, "status", code);
    }
  }

  /** Adds the breaks of payouts whose lines are on two statements. */
  #addYesterday(
    { day, lost }: { readonly day: SettledDay; readonly lost: ReadonlySet<string> },
    next: SettledDay,
    lostNow: ReadonlySet<string>,
  ): void {
    for (let place = 0; place < day.payouts; place += 1) {
      const fate = fateOf(place);
      if (fate === "settled") continue;
      const code = codeOf(day, place);
      const [was, is] = [!lost.has(code), !lostNow.has(code)];
      // Without its line, it counts on the day on which payrun recorded its settlement.
      if (fate === "recorded_later" && !was) this.add(next.day, "missing_at_gateway", code);
      if (fate === "over_midnight" && !is) this.add(next.day, "missing_at_gateway", code);
      if (fate === "late" && !is) this.add(day.day, "missing_at_gateway", code);
      if (fate === "back_later" && !was && !is) this.add(day.day, "missing_at_gateway", code);
      // Its return is missing on the day on which the ledger has it.
      const isUnlisted = fate === "back_unlisted" || (fate === "back_later" && !is);
      if (isUnlisted) this.add(next.day, "missing_at_gateway", code);
      if (fate !== "again") continue;
      if (!was && !is) this.add(day.day, "missing_at_gateway", code);
      if (is) this.add(next.day, "gateway_number", code);
      if (!was || !is) continue;
      this.add(day.day, "listed_twice", code);
      this.add(next.day, "listed_twice", code);
    }
  }

  /** Adds the breaks of payouts that the statement after the last one would have contained. */
  end(): void {
    if (!this.#before) return;
    const { day, lost } = this.#before;
    for (let place = 0; place < day.payouts; place += 1) {
      const fate = fateOf(place);
      if (fate === "settled") continue;
      const code = codeOf(day, place);
      const isLost = lost.has(code) && (fate === "again" || fate === "back_later");
      if (fate === "late" || isLost) this.add(day.day, "missing_at_gateway", code);
    }
  }
}
