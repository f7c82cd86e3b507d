import type { RunResult } from "#proof/simulation/run/run.ts";

/** The sum of many runs. */
export interface Totals {
  runs: number;
  payouts: number;
  crashes: number;
  requests: number;
  /**
   * Codes paid twice, or rows without a final state, although the gateway did not contradict
   * itself.
   */
  paidTwice: number;
  lost: number;
  /**
   * Codes for which the gateway broke the condition of the guarantee or contradicted itself, and
   * how many of these codes it paid twice.
   */
  broken: number;
  paidTwiceByBreach: number;
  readonly faults: Record<string, number>;
  readonly states: Record<string, number>;
  readonly held: Record<string, number>;
}

/** Creates the totals of zero runs. */
export const noTotals = (): Totals => ({
  runs: 0,
  payouts: 0,
  crashes: 0,
  requests: 0,
  paidTwice: 0,
  lost: 0,
  broken: 0,
  paidTwiceByBreach: 0,
  faults: {},
  states: {},
  held: {},
});

type Counts = Omit<Totals, "runs" | "paidTwice" | "lost">;

/** Adds the result of one run. */
export function addRun(totals: Totals, run: RunResult): void {
  totals.runs += 1;
  totals.paidTwice += Number(run.violation?.invariant === "I1");
  totals.lost += Number(run.violation?.invariant === "I2");
  addCounts(totals, run);
}

/** Adds the totals of another thread. */
export function addTotals(totals: Totals, other: Totals): void {
  totals.runs += other.runs;
  totals.paidTwice += other.paidTwice;
  totals.lost += other.lost;
  addCounts(totals, other);
}

function addCounts(totals: Totals, more: Readonly<Counts>): void {
  for (const name of ["payouts", "crashes", "requests", "broken", "paidTwiceByBreach"] as const) {
    totals[name] += more[name];
  }
  for (const name of ["faults", "states", "held"] as const) {
    for (const [key, count] of Object.entries(more[name])) {
      totals[name][key] = (totals[name][key] ?? 0) + count;
    }
  }
}

const figure = (count: number): string => count.toLocaleString("en");

const table = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => `  ${figure(count).padStart(11)}  ${name}`);

/** The figures as text. */
export function totalsText(totals: Totals, seconds: number): string {
  const { runs, payouts, crashes, requests, paidTwice, lost, broken, paidTwiceByBreach } = totals;
  return [
    `${figure(runs)} runs, ${figure(payouts)} payouts, ${figure(crashes)} crashes, ${figure(requests)} requests`,
    `in ${seconds.toFixed(1)} s: ${figure(Math.round(payouts / seconds))} payouts per second`,
    `paid twice: ${paidTwice}, lost: ${lost}`,
    `the gateway violated its documented behaviour for ${figure(broken)} codes and paid ${figure(paidTwiceByBreach)} of them twice`,
    "faults:",
    ...table(totals.faults),
    "where the payouts are:",
    ...table(totals.states),
    "on hold, by reason:",
    ...table(totals.held),
  ].join("\n");
}
