import { type LocalMoment, momentText } from "#schedule/local-time.ts";

/** When a batch goes out, and for how long after that its approval still counts. */
export interface SendTime extends LocalMoment {
  readonly expiresHours: number;
}

/** Where nobody has said anything else: sent a day late, a batch wants to be looked at again. */
export const EXPIRES_HOURS = 24;
export const HOURS_MAX = 720;

const HOUR_MS = 3_600_000;

/** A batch whose time has come. */
export interface DueSending extends SendTime {
  readonly batchId: string;
  readonly approvedAt: Date;
  /** The time of the ledger, which decides what is late. */
  readonly now: Date;
}

/**
 * Why a batch whose time has come does not go out; null: it does.
 *
 * @param problems what was found when its rows were checked again.
 */
export function whyStuck(due: DueSending, problems: readonly string[]): string | null {
  const { at, approvedAt, now, expiresHours } = due;
  const sinceMs = now.getTime() - Math.max(at.getTime(), approvedAt.getTime());
  if (sinceMs > expiresHours * HOUR_MS) {
    return `Its approval has expired: it was to go out at ${momentText(due)}, and was not sent within ${expiresHours} h.`;
  }
  return problems.length > 0 ? problems.join(" ") : null;
}
