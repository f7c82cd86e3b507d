import { printable } from "#base/invisible-characters.ts";
import {
  BATCH_STATES,
  type BatchState,
  isReadyForApproval,
} from "#intake/batch/batch-lifecycle.ts";
import { type Batches, secondsOf, type ShownBatch } from "#cli/batch/batches.ts";
import { nextSteps, sayExceptions, unfinishedText } from "#cli/batch/batch-result.ts";
import { CliError, EXIT, type ExitCode } from "#cli/terminal/exit.ts";
import { clearLine, progressLine } from "#cli/terminal/live-line.ts";
import { rateMeter } from "#cli/terminal/pace.ts";
import { print, printJson, say } from "#cli/terminal/output.ts";
import { exitCodeOf, resultOf, resultTable } from "#cli/batch/result.ts";
import { interruptSignal } from "#cli/terminal/signals.ts";
import { progressText } from "#cli/batch/wait.ts";
import { systemClock } from "#base/clock.ts";
import { isFinal } from "#payout/payout-lifecycle.ts";

const POLL_MS = 1_000;
/** Milliseconds to wait for a server that is unavailable. */
const PATIENCE_MS = 120_000;

/**
 * Follows a batch until it has finished or needs a person. Other processes send it; this one does
 * not.
 */
export async function watchBatch(id: string, json: boolean, batches: Batches): Promise<ExitCode> {
  const interrupted = interruptSignal("Stopped watching. The batch continues.");
  const shown = await followBatch(id, batches, interrupted);
  const { document, progress } = shown;
  const result = resultOf(document, progress, secondsOf(document));
  if (json) printJson(result);
  else if (progress.length > 0) print(resultTable(result, progress));
  await sayExceptions(id, (limit) => batches.exceptions(id, limit));
  if (interrupted.aborted) return EXIT.interrupted;
  if (document.state === "needs_correction") {
    say(`Batch ${id} needs correction${shown.reason ? `: ${printable(shown.reason)}` : ""}.`);
    return EXIT.problems;
  }
  if (BATCH_STATES[document.state].final) {
    if (progress.length > 0) for (const line of nextSteps(id, progress)) say(line);
    return progress.length === 0 ? EXIT.declined : exitCodeOf(progress);
  }
  say(`${obstacleOf(shown)} ${unfinishedText(progress)}`);
  return EXIT.heldOrInDoubt;
}

/** Returns the batch as it was at the end. */
async function followBatch(
  id: string,
  batches: Batches,
  interrupted: AbortSignal,
): Promise<ShownBatch> {
  const show = progressLine(systemClock);
  const rateOf = rateMeter(systemClock);
  let shown = await batches.show(id);
  let seenMs = systemClock.monotonicMs();
  let isAway = false;
  let waitsIn: BatchState | null = null;
  try {
    while (!interrupted.aborted && !isOver(shown)) {
      const { state } = shown.document;
      if (!isReadyForApproval(state)) show(progressText(shown.progress, shown.stopped, rateOf));
      else if (waitsIn !== state) {
        waitsIn = state;
        say(waitingText(id, state));
      }
      await systemClock.sleep(POLL_MS, interrupted);
      try {
        shown = await batches.show(id);
        seenMs = systemClock.monotonicMs();
        isAway = false;
      } catch (error) {
        const isPassing = error instanceof CliError && error.exitCode === EXIT.unreachable;
        if (!isPassing || systemClock.monotonicMs() - seenMs > PATIENCE_MS) throw error;
        if (!isAway) say("The server cannot be reached; retrying.");
        isAway = true;
      }
    }
    return shown;
  } finally {
    clearLine();
  }
}

const waitingText = (id: string, state: BatchState): string =>
  state === "draft"
    ? `Batch ${id} is a draft. To send it for approval: payrun batch request-approval ${id}`
    : `Batch ${id} is waiting for approval.`;

/** Returns whether the batch has finished, or waits until a person acts. */
function isOver({ document, progress, stopped, frozen }: ShownBatch): boolean {
  const { state } = document;
  if (BATCH_STATES[state].final || state === "needs_correction") return true;
  if (frozen) return true;
  const left = progress.filter((part) => !isFinal(part.state));
  if (
    left.length === 0 ||
    left.some(({ state: each }) => each !== "approved" && each !== "held_back")
  )
    return false;
  const needPeople = stopped.filter(({ needs }) => needs === "person").map(({ lane }) => lane);
  const toSend = left.filter((part) => part.state !== "held_back");
  return state === "paused" || toSend.every(({ lane }) => needPeople.includes(lane));
}

function obstacleOf({ document, reason, stopped, frozen }: ShownBatch): string {
  if (frozen) return frozen.says;
  if (document.state === "paused")
    return `The batch was paused (${printable(reason ?? "no reason given")}).`;
  return stopped.map((stop) => `${stop.lane} is stopped: ${printable(stop.reason)}.`).join(" ");
}
