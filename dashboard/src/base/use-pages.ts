import { type InfiniteData, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";

interface ListPage {
  readonly next: string | null;
}

/**
 * The pages of a list, one after the other. `load` asks the server for the page at a cursor;
 * undefined is the first page. The rows of the previous filters stay until the new ones arrive.
 */
export function usePages<Page extends ListPage>(
  key: readonly unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>,
  options: { readonly refetchInterval?: number } = {},
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
    ...options,
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
