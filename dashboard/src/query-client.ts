import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { ApiProblem } from "./client.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the server refused once it refuses again; silence is worth two more tries.
      retry: (failures, error) => !(error instanceof ApiProblem) && failures < 2,
    },
    // Without a connection it is refused at once: kept until there is one, it would be done when nobody looks any more.
    mutations: { networkMode: "always" },
  },
});

/**
 * Asks anew because something has changed. An answer that is on its way may be of before: it is waited for, and the
 * question comes after it. Broken off at each change instead, none would ever come over a slow line.
 */
export async function askAgain({ queryKey }: { readonly queryKey: QueryKey }): Promise<void> {
  const one = { queryKey, exact: true };
  const joined = { cancelRefetch: false };
  if (queryClient.isFetching(one) > 0) await queryClient.refetchQueries(one, joined);
  await queryClient.invalidateQueries(one, joined);
}

/** Newer than what is on its way was heard: once that has come, it is asked for anew. */
export function outrun(query: { readonly queryKey: QueryKey }): void {
  if (queryClient.isFetching({ queryKey: query.queryKey, exact: true }) > 0) void askAgain(query);
}

/** What was read, and by which searches one came to a page, is of the person who leaves. */
export function forgetAll(): void {
  queryClient.clear();
  sessionStorage.clear();
}
