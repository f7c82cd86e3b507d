import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { ApiProblem } from "./client.ts";
import { discardAnswers } from "./kept-answers.ts";

/** The cache of all data that the dashboard has loaded. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The server would refuse again. A request without an answer is tried twice more.
      retry: (failures, error) => !(error instanceof ApiProblem) && failures < 2,
    },
    // Offline, an action fails immediately. Otherwise it would run later, unnoticed.
    mutations: { networkMode: "always" },
  },
});

/**
 * Repeats a query because data has changed. A running query may return older data, so the new one
 * starts after it. If each change aborted the running query, none would finish on a slow line.
 */
export async function refetchQuery({ queryKey }: { readonly queryKey: QueryKey }): Promise<void> {
  const one = { queryKey, exact: true };
  const joined = { cancelRefetch: false };
  if (queryClient.isFetching(one) > 0) await queryClient.refetchQueries(one, joined);
  await queryClient.invalidateQueries(one, joined);
}

/** Repeats a running query, because newer data than its answer is known. */
export function refetchIfRunning(query: { readonly queryKey: QueryKey }): void {
  if (queryClient.isFetching({ queryKey: query.queryKey, exact: true }) > 0)
    void refetchQuery(query);
}

/** Removes all data and search terms of the user who signs out. */
export function clearUserData(): void {
  queryClient.clear();
  discardAnswers();
  sessionStorage.clear();
}
