import { BATCH_STATES, type BatchState, isBeforeApproval } from "#intake/batch/batch-lifecycle.ts";
import { printable } from "#base/invisible-characters.ts";
import type { SendTimeShown } from "#cli/batch/batches.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { missedCutOffText } from "#cli/schedule/missed-cut-offs.ts";
import { say } from "#cli/terminal/output.ts";
import type { Batch } from "#ledger/ledger.ts";
import type { Database } from "#ledger/store/database.ts";
import { findMissedCutOffs } from "#schedule/cut-offs.ts";
import { type LocalMoment, readMoment } from "#schedule/local-time.ts";

/**
 * Parses "2026-12-31 09:00 Asia/Kolkata", which must be complete: the time zone of this machine may
 * not be the intended one.
 */
export function momentIn(text: string): LocalMoment {
  const moment = readMoment(text);
  if (!moment) {
    throw new CliError(
      EXIT.usage,
      `--at ${text}: expected a time such as "2026-12-31 09:00 Asia/Kolkata".`,
    );
  }
  return moment;
}

/** Prints, before the approval, which banks accept no more payments for that day at this time. */
export async function sayMissed(
  { lanes }: Pick<Batch, "lanes">,
  at: Date,
  database: Database,
): Promise<void> {
  const { readConfig } = await import("#app/config.ts");
  const { bankDays } = await import("#app/bank-days.ts");
  const { findLaneNames } = await import("#ledger/payout/lane/account-names.ts");
  const codes = lanes.map(({ lane }) => lane);
  const laneNameOf = await findLaneNames(database);
  for (const miss of findMissedCutOffs(codes, at, bankDays(readConfig()), laneNameOf))
    say(missedCutOffText(miss));
}

/** Describes on one line when the batch is sent. Null: there is nothing to say. */
export function sendingText(
  send: SendTimeShown | null,
  state: BatchState,
  nowMs: number,
): string | null {
  if (!send) return null;
  const { released_at: releasedAt, held_back: heldBack, says } = send;
  if (releasedAt !== null) return `released at ${says}`;
  if (BATCH_STATES[state].final) return null;
  if (heldBack !== null) return `held back: ${printable(heldBack)}`;
  if (Date.parse(send.at) > nowMs) return `scheduled for ${says}`;
  if (isBeforeApproval(state))
    return `the send time (${says}) has passed, so the batch will be sent as soon as it is approved`;
  if (state === "paused")
    return `the send time (${says}) has passed, so the batch will be sent when it is resumed`;
  return `the send time (${says}) has passed, so the batch will be sent immediately`;
}
