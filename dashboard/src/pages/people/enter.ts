import { type Answer, rememberCsrf } from "../../client.ts";
import { forgetAll, queryClient } from "../../query-client.ts";
import { sessionQuery } from "../../session.ts";

/** From now on the session is this one; what was read for another person is forgotten. */
export function enter(session: Answer<"GET /api/session">): void {
  forgetAll();
  rememberCsrf(session.csrf_token);
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

/** A place of our own to go on at; never another site. */
export const ownPlace = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : "/";
