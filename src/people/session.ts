const MINUTE_MS = 60_000;
export const IDLE_MS = 30 * MINUTE_MS;
export const SESSION_MS = 12 * 60 * MINUTE_MS;
export const STEP_UP_MS = 5 * MINUTE_MS;

/** Whether a session still stands for its user. */
export function isAlive(
  session: { readonly seenAt: Date; readonly expiresAt: Date; readonly endedAt: Date | null },
  nowMs: number,
): boolean {
  return (
    session.endedAt === null &&
    nowMs < session.expiresAt.getTime() &&
    nowMs < session.seenAt.getTime() + IDLE_MS
  );
}
