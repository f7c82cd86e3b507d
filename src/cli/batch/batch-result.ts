import { printable } from "#base/invisible-characters.ts";
import type { Exception, Stop } from "#cli/batch/batches.ts";
import { EXIT, type ExitCode } from "#cli/terminal/exit.ts";
import { queryProgressText, frozenRiskText, frozenText } from "#cli/terminal/frozen.ts";
import { print, printJson, say } from "#cli/terminal/output.ts";
import { documentOf, exitCodeOf, resultOf, resultTable } from "#cli/batch/result.ts";
import type { WaitResult } from "#cli/batch/wait.ts";
import type { Batch, Freeze, LaneProgress, Progress } from "#ledger/ledger.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import { reasonText } from "#payout/reasons.ts";
import { moneyText } from "#money/display.ts";
import type { Payrun } from "#app/wiring.ts";

interface OutputOptions {
  readonly startedMs: number;
  readonly json: boolean;
  /**
   * False: the next commands need other settings, and the caller prints them.
   * @default true
   */
  readonly hasNextSteps?: boolean;
}

/** Prints the state of the batch. */
export async function showResult(
  batch: Batch,
  { startedMs, json }: OutputOptions,
  { ledger, deps }: Payrun,
): Promise<readonly Progress[]> {
  const now = (await ledger.payout.findBatch({ id: batch.id })) ?? batch;
  const progress = await ledger.payout.progressOf(batch.id);
  const result = resultOf(documentOf(now), progress, (deps.clock.monotonicMs() - startedMs) / 1000);
  if (json) printJson(result);
  else if (progress.length > 0) print(resultTable(result, progress));
  return progress;
}

/** Prints how the wait for a batch ended, and returns the exit code. */
export async function showWaitResult(
  batch: Batch,
  waited: WaitResult,
  showing: OutputOptions,
  payrun: Payrun,
): Promise<ExitCode> {
  const progress = await showResult(batch, showing, payrun);
  const { findLocalExceptions } = await import("#cli/batch/local-batches.ts");
  await sayExceptions(batch.id, (limit) => findLocalExceptions(batch.id, limit, payrun));
  switch (waited.kind) {
    case "ended":
      if (showing.hasNextSteps ?? true) nextSteps(batch.id, progress).forEach((line) => say(line));
      return exitCodeOf(progress);
    case "interrupted":
      say(`Batch ${batch.id} is not finished. To see its status: payrun batch show ${batch.id}`);
      return EXIT.interrupted;
    case "held_back":
      say(
        `Payouts held back: ${waited.payouts}. To send them: payrun payout release --batch ${batch.id}`,
      );
      return EXIT.heldOrInDoubt;
    case "paused":
      say(
        `Batch ${batch.id} was paused (${printable(waited.reason ?? "no reason given")}). To see why: payrun batch show ${batch.id}`,
      );
      return EXIT.heldOrInDoubt;
    case "frozen":
      return sayFrozen(waited.freeze, waited.lanes);
    case "no_queue":
      say(`The queue cannot be reached: ${waited.why}.`);
      say(unfinishedText(progress));
      say("Check REDIS_URL (payrun doctor), then run the same command again.");
      return EXIT.unreachable;
    case "stuck": {
      for (const { lane, reason } of waited.lanes) say(`${lane} is stopped: ${printable(reason)}`);
      say(unfinishedText(progress));
      for (const line of openingText(waited.lanes)) say(line);
      const { reachable } = await payrun.gateway.probe();
      return reachable ? EXIT.heldOrInDoubt : EXIT.unreachable;
    }
  }
}

/** Names a finished batch, and the commands that follow from its result. */
export function nextSteps(batchId: string, progress: readonly Progress[]): string[] {
  const has = (...states: readonly PayoutState[]) =>
    progress.some(({ state }) => states.includes(state));
  return [
    `Batch ${batchId} is finished. For the result of each row: payrun batch report ${batchId}`,
    ...(has("declined")
      ? [`To retry the declined payouts: payrun batch retry-declined ${batchId}`]
      : []),
    ...(has("returned")
      ? [
          `To retry the returned payouts, first check them: payrun batch retry-declined ${batchId} --preview`,
        ]
      : []),
    ...(has("on_hold") ? ["For the evidence about a payout on hold: payrun payout show CODE"] : []),
  ];
}

/**
 * Tells what to do about each stopped lane. A pause by a person is ended separately, and is named
 * in its reason.
 */
export function openingText(stops: readonly Stop[]): string[] {
  const lanes = [...new Set(stops.map(({ lane }) => lane))];
  return [
    ...lanes.map((lane) => {
      const own = stops.filter((stop) => stop.lane === lane);
      const isPause = ({ reason }: Stop) => reason.includes("payrun lane resume");
      const commands = [
        ...(own.some(isPause) ? [`payrun lane resume ${lane} --reason TEXT`] : []),
        ...(own.every(isPause) ? [] : [`payrun lane restart ${lane} --reason TEXT`]),
      ];
      return `→ ${lane}: to see why, run payrun lane show ${lane}. Fix the cause, then restart the lane: ${commands.join(", then ")}`;
    }),
    "Alternatively, fix the cause and run the same command again to restart the batch's lanes and wait for its payouts.",
  ];
}

/**
 * Prints that the ledger is frozen, and how many payouts have been queried. Returns the exit code.
 */
export function sayFrozen(freeze: Freeze, lanes: readonly LaneProgress[]): ExitCode {
  say(frozenText(freeze));
  if (freeze.since) say(`So far, ${queryProgressText(lanes)}.`);
  say(`→ ${frozenRiskText(freeze, lanes)}`);
  return EXIT.heldOrInDoubt;
}

/**
 * Describes the unfinished payouts of a batch that cannot continue, without claiming more than is
 * known.
 */
export function unfinishedText(progress: readonly Progress[]): string {
  const count = (...states: readonly PayoutState[]) =>
    progress.reduce((sum, part) => sum + (states.includes(part.state) ? part.count : 0), 0);
  const parts = [
    [count("approved"), "approved but not sent"],
    [count("held_back"), "held back: not sent until released"],
    [count("accepted"), "accepted by the gateway but not settled yet"],
    [count("in_doubt", "submitting"), "in doubt: they may have been paid"],
  ] as const;
  const left = parts.filter(([payouts]) => payouts > 0);
  return `Unfinished payouts: ${left.map(([payouts, words]) => `${payouts} ${words}`).join("; ")}.`;
}

const EXCEPTIONS_MAX = 20;

/** Lists the payouts that may need attention. */
export async function sayExceptions(
  batchId: string,
  find: (limit: number) => Promise<readonly Exception[]>,
): Promise<void> {
  const exceptions = await find(EXCEPTIONS_MAX + 1);
  for (const { line, code, state, reason, currency, amount } of exceptions.slice(
    0,
    EXCEPTIONS_MAX,
  )) {
    const why = reason ? reasonText(reason) : "";
    const money = moneyText({ currency, amount });
    say(`line ${line}  ${code}  ${money}  ${state.replaceAll("_", " ")}. ${why}`);
  }
  if (exceptions.length > EXCEPTIONS_MAX)
    say(`More payouts need attention. To list every row: payrun batch report ${batchId}`);
}
