import { queryOptions, useQuery } from "@tanstack/react-query";
import { type Answer, call, rememberCsrf } from "./client.ts";

type Session = Answer<"GET /api/session">;
export type Person = NonNullable<Session["person"]>;
export type Permission = Person["permissions"][number];

export const sessionQuery = queryOptions({
  queryKey: ["GET /api/session"],
  queryFn: async ({ signal }) => {
    const session = await call("GET /api/session", { signal });
    rememberCsrf(session.csrf_token);
    return session;
  },
  staleTime: 60_000,
  // In another tab somebody else may have signed in, and it is their cookie now.
  refetchOnWindowFocus: "always",
});

/** Who is signed in, for the pages behind the sign-in. */
export function usePerson(): Person | null {
  return useQuery(sessionQuery).data?.person ?? null;
}

/** Whether the person may. What this hides, the server refuses too. */
export const useMay = (permission: Permission): boolean =>
  usePerson()?.permissions.includes(permission) ?? false;
