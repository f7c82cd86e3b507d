import { type InfiniteData, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";

interface ListPage {
  readonly next: string | null;
}

/** Longer lists are loaded again only with other filters. */
export const REFRESHED_PAGES_MAX = 3;

/**
 * The pages of a list, one after the other. `load` asks the server for the page at a cursor;
 * undefined is the first page. The rows of the previous filters stay until the new ones arrive.
 */
export function usePages<Page extends ListPage>(
  key: readonly unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>,
  { refreshMs }: { readonly refreshMs?: number } = {},
) {
  const query = useInfiniteQuery<
    Page,
    Error,
    InfiniteData<Page>,
    readonly unknown[],
    string | undefined
  >({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    // A refresh loads every page again.
    refetchInterval: ({ state }) =>
      refreshMs !== undefined && (state.data?.pages.length ?? 0) <= REFRESHED_PAGES_MAX
        ? refreshMs
        : false,
  });
  // Rows are drawn in short slices, so that a slow phone reacts to input meanwhile.
  const drawn = useDeferredValue(query.data);
  const more = query.hasNextPage
    ? {
        // Rows that are not drawn yet are still to come for the reader.
        isLoading: query.isFetchingNextPage || drawn !== query.data,
        hasFailed: query.isFetchNextPageError,
        load: () => void query.fetchNextPage(),
      }
    : undefined;
  return { ...query, data: drawn, pages: drawn?.pages ?? [], more };
}
