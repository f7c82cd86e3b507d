import { printable } from "#base/invisible-characters.ts";
import type { Stop } from "#cli/batch/batches.ts";
import { bar, clearLine, progressLine } from "#cli/terminal/live-line.ts";
import { rateMeter, rateText, timeLeftText } from "#cli/terminal/pace.ts";
import { queryProgressText, frozenText, unqueriedIn } from "#cli/terminal/frozen.ts";
import { say } from "#cli/terminal/output.ts";
import { stopsOf } from "#cli/batch/stops.ts";
import type { Clock } from "#base/clock.ts";
import type { Batch, Freeze, LaneProgress, Ledger, Progress } from "#ledger/ledger.ts";
import { isFinal } from "#payout/payout-lifecycle.ts";

/** The result of waiting for a batch. */
export type WaitResult =
  | { readonly kind: "ended" }
  /**
   * No payout is in progress, and the rest cannot be sent until a person fixes the cause.
   */
  | { readonly kind: "stuck"; readonly lanes: readonly Stop[] }
  /** Every other payout is finished, and these are not sent until a person releases them. */
  | { readonly kind: "held_back"; readonly payouts: number }
  | { readonly kind: "paused"; readonly reason: string | null }
  /** No payout is sent, and the status of every payout that can be queried has been queried. */
  | { readonly kind: "frozen"; readonly freeze: Freeze; readonly lanes: readonly LaneProgress[] }
  /** Nothing changed while the queue was unreachable. */
  | { readonly kind: "no_queue"; readonly why: string }
  | { readonly kind: "interrupted" };

interface WaitDeps {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly interrupted: AbortSignal;
  /** The queue for the jobs of this process. If absent, other processes send. */
  readonly queue?: { readonly obstacle: string | null };
}

/** Milliseconds to wait for a lane that may open automatically, counted from the last change. */
const PATIENCE_MS = 120_000;
const POLL_MS = 400;

/**
 * Waits until every payout of the batch has finished, with a bar on a terminal and a line every ten
 * seconds elsewhere. It also waits for a database that restarts meanwhile.
 */
export async function waitForBatch(
  batchId: string,
  { ledger, clock, interrupted, queue }: WaitDeps,
): Promise<WaitResult> {
  const show = progressLine(clock);
  const rateOf = rateMeter(clock);
  let lastMoveMs = clock.monotonicMs();
  let lastSeen = "";
  let told: string | null = null;
  try {
    for (;;) {
      if (interrupted.aborted) return { kind: "interrupted" };
      const startedMs = clock.monotonicMs();
      const seen = await readState(batchId, ledger).catch(() => null);
      const noQueue = queue?.obstacle ?? null;
      told = printObstacle(obstacleOf(seen, noQueue), told);
      if (seen) {
        show(lineOf(seen, rateOf));
        const now = changeKey(seen);
        if (now !== lastSeen) lastMoveMs = clock.monotonicMs();
        lastSeen = now;
        const isPatienceOver = clock.monotonicMs() - lastMoveMs > PATIENCE_MS;
        const waited = endOf(seen, isPatienceOver) ?? withoutQueue(noQueue, isPatienceOver);
        if (waited?.kind === "ended") await ledger.payout.finishBatch(batchId).catch(() => null);
        if (waited) return waited;
      }
      // Counting a large batch takes time. It may take at most a tenth of the wait.
      const tookMs = clock.monotonicMs() - startedMs;
      await clock.sleep(Math.max(POLL_MS, tookMs * 10), interrupted);
    }
  } finally {
    clearLine();
  }
}

const DATABASE_UNAVAILABLE =
  "The database is not available. payrun is waiting and will not send new payouts until the database is available again.";

function obstacleOf(seen: BatchSituation | null, noQueue: string | null): string | null {
  if (seen === null) return DATABASE_UNAVAILABLE;
  if (seen.freeze) return frozenText(seen.freeze);
  return noQueue && `${NO_QUEUE}${noQueue}; retrying.`;
}

const NO_QUEUE = "The queue cannot be reached: ";

const withoutQueue = (why: string | null, isPatienceOver: boolean): WaitResult | null =>
  why !== null && isPatienceOver ? { kind: "no_queue", why } : null;

/** Prints an obstacle once, and a line when the database or the queue is available again. */
function printObstacle(obstacle: string | null, told: string | null): string | null {
  if (obstacle === told) return told;
  clearLine();
  if (told === DATABASE_UNAVAILABLE) say("The database is available again.");
  if (told?.startsWith(NO_QUEUE) && !obstacle?.startsWith(NO_QUEUE)) {
    say("The queue is available again.");
  }
  if (obstacle !== null) say(obstacle);
  return obstacle;
}

/** Returns how the wait ended. Null: it continues. */
function endOf(
  { batch, progress, stopped, freeze, queryProgress }: BatchSituation,
  isPatienceOver: boolean,
): WaitResult | null {
  const left = progress.filter(({ state }) => !isFinal(state));
  if (left.length === 0) return { kind: "ended" };
  if (freeze) {
    const asking = freeze.since !== null && unqueriedIn(queryProgress) > 0;
    return asking && !isPatienceOver ? null : { kind: "frozen", freeze, lanes: queryProgress };
  }
  if (left.every(({ state }) => state === "held_back")) {
    return { kind: "held_back", payouts: left.reduce((sum, { count }) => sum + count, 0) };
  }
  const toSend = left.filter(({ state }) => state !== "held_back");
  const resting = toSend.every(({ state }) => state === "approved") || isPatienceOver;
  if (!resting) return null;
  if (batch?.state === "paused") return { kind: "paused", reason: batch.reason };
  const lanes = stopped.filter(({ lane }) => toSend.some((part) => part.lane === lane));
  const allStopped = toSend.every(({ lane }) => lanes.some((stop) => stop.lane === lane));
  const hopeless = lanes.every(({ needs }) => needs === "person") || isPatienceOver;
  return allStopped && hopeless ? { kind: "stuck", lanes } : null;
}

const changeKey = ({ progress, queryProgress }: BatchSituation): string =>
  JSON.stringify([progress.map(({ state, lane, count }) => [state, lane, count]), queryProgress]);

interface BatchSituation {
  readonly batch: Batch | null;
  readonly progress: readonly Progress[];
  readonly stopped: readonly Stop[];
  readonly freeze: Freeze | null;
  /** Only for a frozen ledger. */
  readonly queryProgress: readonly LaneProgress[];
}

async function readState(batchId: string, ledger: Ledger): Promise<BatchSituation> {
  const [batch, progress, freeze] = await Promise.all([
    ledger.payout.findBatch({ id: batchId }),
    ledger.payout.progressOf(batchId),
    ledger.integrity.verify(),
  ]);
  const lanes = new Set(progress.map(({ lane }) => lane));
  const stopped = await stopsOf(batchId, [...lanes], ledger);
  const queryProgress = freeze ? await ledger.integrity.laneProgress() : [];
  return { batch, progress, stopped, freeze, queryProgress };
}

const lineOf = (
  { progress, stopped, freeze, queryProgress }: BatchSituation,
  rateOf: RateMeter,
): string =>
  freeze
    ? `payrun is not sending payouts: ${queryProgressText(queryProgress)}`
    : progressText(progress, stopped, rateOf);

type RateMeter = ReturnType<typeof rateMeter>;

/** Returns the progress of a batch as one line, with the rate and the time left. */
export function progressText(
  progress: readonly Progress[],
  stopped: readonly Stop[],
  rateOf: RateMeter,
): string {
  const count = (...states: readonly string[]) =>
    progress
      .filter(({ state }) => states.includes(state))
      .reduce((sum, part) => sum + part.count, 0);
  const all = progress.reduce((sum, part) => sum + part.count, 0);
  const ended = progress.reduce((sum, part) => sum + (isFinal(part.state) ? part.count : 0), 0);
  const rate = rateOf(ended);
  const parts = [
    rateText(rate),
    timeLeftText(all - ended, rate),
    `${count("settled")} settled`,
    `${count("accepted", "submitting")} being processed`,
    `${count("in_doubt")} in doubt`,
    `${count("declined")} declined`,
    `${count("on_hold")} on hold`,
    `${count("approved")} to send`,
    `${count("held_back")} held back`,
  ].filter((part) => part !== "" && !part.startsWith("0 "));
  const stop = stopped[0] ? ` · ${stopped[0].lane} stopped: ${printable(stopped[0].reason)}` : "";
  const share = all === 0 ? 0 : ended / all;
  return `${bar(share)}${ended}/${all} finished · ${parts.join(" · ")}${stop}`;
}
