import { type Answer, setCsrfToken } from "../../server/client.ts";
import { clearUserData, queryClient } from "../../server/query-client.ts";
import { sessionQuery } from "../../server/session.ts";

/** Starts a session and discards the data that was loaded for another person. */
export function startSession(session: Answer<"GET /api/session">): void {
  clearUserData();
  setCsrfToken(session.csrf_token);
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

/** A path of the dashboard to continue at, never another site. */
export const dashboardPath = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : "/";
