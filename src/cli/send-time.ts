import type { ShownSending } from "#cli/batches.ts";
import { CliError, EXIT } from "#cli/exit.ts";
import { readMoment } from "#schedule/local-time.ts";
import { EXPIRES_HOURS, type SendTime } from "#schedule/release.ts";

/** Reads "2026-12-31 09:00 Asia/Kolkata", in full: the zone of this machine may be another one than was meant. */
export function sendTimeOf(text: string): SendTime {
  const moment = readMoment(text);
  if (!moment) {
    throw new CliError(
      EXIT.usage,
      `${text} is no time. Write it as "2026-12-31 09:00 Asia/Kolkata".`,
    );
  }
  return { ...moment, expiresHours: EXPIRES_HOURS };
}

/** What becomes of it, in a line; null: there is nothing to say. */
export function sendingText(send: ShownSending | null): string | null {
  if (!send) return null;
  if (send.let_go_at !== null) return `was let go at ${send.says}`;
  return send.stuck === null ? `goes out at ${send.says}` : `kept back: ${send.stuck}`;
}
