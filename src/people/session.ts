const MINUTE_MS = 60_000;
export const IDLE_MS = 30 * MINUTE_MS;
export const SESSION_MS = 12 * 60 * MINUTE_MS;
export const STEP_UP_MS = 5 * MINUTE_MS;
/**
 * Milliseconds after the sign-in within which a user whose role requires a second factor may set up
 * their first one.
 */
export const FIRST_FACTOR_MS = 15 * MINUTE_MS;

/** The proof used in a step-up. */
export type Proof = "password" | "second_factor";

/** Returns whether a session is still valid. */
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
