/**
 * Random settlements, returns, late ones and closes: every version satisfies the equation, and
 * every change of a closed day reopens it.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { daysAfter } from "#reconciliation/statement-time.ts";
import { DayLedger, movePayout } from "../../support/reconciliation/day-ledger.ts";

const ledger = new DayLedger();
const FIRST = "2026-11-01";
const DAYS = 4;
const OPENING = 100_000_00n;

/** A step on one of the days. A payout is named by its place among those that could move. */
const STEP = fc.oneof(
  fc.record({ kind: fc.constant("settle" as const), day: fc.nat(DAYS - 1), place: fc.nat(99) }),
  fc.record({ kind: fc.constant("return" as const), day: fc.nat(DAYS - 1), place: fc.nat(99) }),
  fc.record({ kind: fc.constant("close" as const), day: fc.nat(DAYS - 1), place: fc.constant(0) }),
);

interface Known {
  readonly id: number;
  readonly minor: bigint;
  settled: number | null;
  returned: number | null;
}

const dayAt = (day: number): string => daysAfter(FIRST, day);
const timeAt = (day: number): string => `${dayAt(day)}T12:00:00Z`;
const minorOf = (text: string): bigint => BigInt(text.replace(".", ""));

/** The closing balance of a day that the model expects. */
function expected(payouts: readonly Known[], day: number): bigint {
  return payouts.reduce((balance, { minor, settled, returned }) => {
    const paid = settled !== null && settled <= day ? minor : 0n;
    const back = returned !== null && returned <= day ? minor : 0n;
    return balance - paid + back;
  }, OPENING);
}

test("every version satisfies the equation, and every change reopens its day", async () => {
  let lanes = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 18 }), async (steps) => {
      ledger.lane = `M${(lanes += 1)}/INR`;
      await ledger.openAt(FIRST, Number(OPENING));
      const payouts: Known[] = [];
      for (let n = 0; n < 6; n += 1) {
        const minor = 1_000 + n * 37;
        const id = await ledger.addAccepted(minor, timeAt(0));
        payouts.push({ id, minor: BigInt(minor), settled: null, returned: null });
      }
      for (const { kind, day, place } of steps) {
        const faults =
          kind === "close"
            ? await closeDay(payouts, day)
            : await move(payouts, { event: kind, day, place });
        expect(faults).toEqual([]);
      }
    }),
    { numRuns: 25 },
  );
}, 180_000);

/** Closes a day. Returns the rules that its version breaks. */
async function closeDay(payouts: readonly Known[], day: number): Promise<string[]> {
  const closed = await ledger.close(dayAt(day));
  if (typeof closed === "string") {
    return ["already_closed", "earlier_day_open"].includes(closed) ? [] : [closed];
  }
  const { opening, movements, closing } = closed;
  const of = (name: keyof typeof movements) => minorOf(movements[name].amount);
  const computed = minorOf(opening) + of("deposits") - of("payouts") - of("fees") + of("returns");
  const [next] = await ledger.versions(dayAt(day + 1));
  const isStale = next?.reopening === null && JSON.parse(next.document).opening !== closing;
  return [
    ...(minorOf(closing) === computed ? [] : ["the figures do not give the closing balance"]),
    ...(minorOf(closing) === expected(payouts, day) ? [] : ["a movement is missing"]),
    ...(isStale ? ["the next day opens with another balance"] : []),
  ];
}

/** Settles or returns a payout. Returns the days that are still closed although it changed them. */
async function move(
  payouts: readonly Known[],
  {
    event,
    day,
    place,
  }: { readonly event: "settle" | "return"; readonly day: number; readonly place: number },
): Promise<string[]> {
  const movable = payouts.filter(({ settled, returned }) =>
    event === "settle" ? settled === null : settled !== null && settled <= day && returned === null,
  );
  const chosen = movable[place % Math.max(movable.length, 1)];
  if (!chosen) return [];
  await movePayout(ledger.database, { id: chosen.id, event, at: timeAt(day) });
  // A return changes its own day, and shows on the day of the settlement.
  const changed = event === "settle" ? [day] : [day, chosen.settled ?? day];
  if (event === "settle") chosen.settled = day;
  else chosen.returned = day;
  const newest = await Promise.all(changed.map((each) => ledger.versions(dayAt(each))));
  return newest.flatMap(([version]) =>
    version && version.reopening === null ? [`${version.day} is still closed`] : [],
  );
}
