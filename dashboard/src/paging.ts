/** How the pages of a list are turned; what is undefined is not to be had. */
export interface Paging {
  readonly onFirst: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

/** From which page a further one was reached, for as long as the tab is open. */
const reachedFrom = new Map<string, string | undefined>();

/** Cursors lead forward alone: the way back is the way by which one came. `list` tells one list and its filters from another. */
export function paging(
  list: readonly unknown[],
  {
    cursor,
    next,
  }: { readonly cursor: string | undefined; readonly next: string | null | undefined },
  turn: (cursor: string | undefined) => void,
): Paging {
  const placeOf = (at: string): string => JSON.stringify([...list, at]);
  const here = cursor === undefined ? undefined : placeOf(cursor);
  return {
    onFirst: here === undefined ? undefined : () => turn(undefined),
    onPrevious:
      here !== undefined && reachedFrom.has(here) ? () => turn(reachedFrom.get(here)) : undefined,
    onNext: next
      ? () => {
          reachedFrom.set(placeOf(next), cursor);
          turn(next);
        }
      : undefined,
  };
}
