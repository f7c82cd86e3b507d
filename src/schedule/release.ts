import { type LocalMoment, momentText } from "#schedule/local-time.ts";

/** The send time of a batch, and the number of hours after it for which the approval is valid. */
export interface SendTime extends LocalMoment {
  readonly expiresHours: number;
}

/**
 * Default validity of an approval after the send time. A batch that would be sent a day late needs
 * another review.
 */
export const EXPIRES_HOURS = 24;
export const HOURS_MAX = 720;

const HOUR_MS = 3_600_000;

/** A batch whose send time has come. */
export interface DueSendTime extends SendTime {
  readonly batchId: string;
  readonly approvedAt: Date;
  /** The time of the ledger, which decides whether a batch is late. */
  readonly now: Date;
}

/**
 * States why a batch whose send time has come is held back. Null: it may be sent.
 *
 * @param problems problems found when its rows were checked again.
 */
export function whyHeldBack(due: DueSendTime, problems: readonly string[]): string | null {
  const { at, approvedAt, now, expiresHours } = due;
  const sinceMs = now.getTime() - Math.max(at.getTime(), approvedAt.getTime());
  if (sinceMs > expiresHours * HOUR_MS) {
    return `The approval has expired: the batch was scheduled for ${momentText(due)} and was not sent within ${expiresHours} hours.`;
  }
  return problems.length > 0 ? problems.join(" ") : null;
}
