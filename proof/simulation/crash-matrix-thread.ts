import { parentPort, workerData } from "node:worker_threads";
import { boundariesOf, OUTCOMES, type OutcomeResult, runCase, strikesAt } from "./crash-matrix.ts";

/** A thread of the crash matrix: every `step`-th outcome. */
const { first, step } = workerData as { first: number; step: number };
const results: OutcomeResult[] = [];
for (let at = first; at < OUTCOMES.length; at += step) {
  const outcome = OUTCOMES[at];
  if (!outcome) break;
  const plain = await runCase({ outcome, at: null });
  const boundaries = await boundariesOf(outcome);
  const ends: Record<string, number> = {};
  const broken: string[] = plain.violation === null ? [] : [`without a strike: ${plain.violation}`];
  let cases = 0;
  for (const planned of boundaries.flatMap((boundary) => strikesAt(outcome, boundary))) {
    const { struck, violation, end } = await runCase(planned);
    cases += 1;
    ends[end] = (ends[end] ?? 0) + 1;
    const { at: strike } = planned;
    const where = `${strike?.how} ${strike?.when} ${strike?.process} ${strike?.what} ${strike?.nth}`;
    if (!struck) broken.push(`${where}: not reached`);
    if (violation !== null) broken.push(`${where}: ${violation}`);
  }
  const calls = boundaries.map(({ process, what }) => `${process} ${what}`);
  results.push({ outcome, plain: plain.end, cases, calls: [...new Set(calls)], ends, broken });
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort?.postMessage(results);
