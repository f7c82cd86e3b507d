import type { Answer } from "../../server/client.ts";
import { clearUserData, queryClient } from "../../server/query-client.ts";
import { applySession, sessionQuery } from "../../server/session.ts";

/** Starts a session and discards the data that was loaded for another person. */
export function startSession(session: Answer<"GET /api/session">): void {
  clearUserData();
  applySession(session);
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

/** A path of the dashboard to continue at, never another site. */
export const dashboardPath = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : "/";
