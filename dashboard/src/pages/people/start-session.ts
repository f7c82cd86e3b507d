import { type Answer, rememberCsrf } from "../../server/client.ts";
import { forgetAll, queryClient } from "../../server/query-client.ts";
import { sessionQuery } from "../../server/session.ts";

/** Starts a session and discards the data that was loaded for another person. */
export function enter(session: Answer<"GET /api/session">): void {
  forgetAll();
  rememberCsrf(session.csrf_token);
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

/** A path of the dashboard to continue at, never another site. */
export const ownPlace = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : "/";
