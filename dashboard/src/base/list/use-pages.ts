import { type InfiniteData, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";

interface ListPage {
  readonly next: string | null;
}

/** Longer lists are loaded again only with other filters. */
const REFRESHED_PAGES_MAX = 3;

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
  const more = query.hasNextPage
    ? {
        isLoading: query.isFetchingNextPage,
        hasFailed: query.isFetchNextPageError,
        load: () => void query.fetchNextPage(),
      }
    : undefined;
  return { ...query, pages: query.data?.pages ?? [], more };
}
