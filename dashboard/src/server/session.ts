import { queryOptions, useQuery } from "@tanstack/react-query";
import { setReaderZone } from "../base/time-zone.ts";
import { type Answer, call, setCsrfToken } from "./client.ts";

type Session = Answer<"GET /api/session">;

/** The signed-in user. */
export type Person = NonNullable<Session["person"]>;

/** A permission that a role gives to a user. */
export type Permission = Person["permissions"][number];

/** Uses the token of a session, and the time zone of its user. */
export function applySession({ csrf_token: token, person }: Session): void {
  setCsrfToken(token);
  setReaderZone(person?.time_zone ?? null);
}

/** Loads the session; its `person` is null before the sign-in. */
export const sessionQuery = queryOptions({
  queryKey: ["GET /api/session"],
  queryFn: async ({ signal }) => {
    const session = await call("GET /api/session", { signal });
    applySession(session);
    return session;
  },
  staleTime: 60_000,
  // Another user may have signed in in another tab, which replaces the cookie.
  refetchOnWindowFocus: "always",
});

/** The signed-in user, for the pages that need one. */
export function usePerson(): Person | null {
  return useQuery(sessionQuery).data?.person ?? null;
}

/** Whether the user has this permission. The server refuses every action that this hides. */
export const useMay = (permission: Permission): boolean =>
  usePerson()?.permissions.includes(permission) ?? false;
