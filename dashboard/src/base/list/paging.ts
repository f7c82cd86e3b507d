/** How the pages of a list are turned; what is undefined is not to be had. */
export interface Paging {
  readonly onFirst: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

/**
 * Cursors lead forward alone: the way back is the way by which one came, for as long as the tab is
 * open. `list` tells one list and its filters from another.
 */
export function paging(
  list: readonly unknown[],
  {
    cursor,
    next,
  }: { readonly cursor: string | undefined; readonly next: string | null | undefined },
  turn: (cursor: string | undefined) => void,
): Paging {
  const placeOf = (at: string): string => `before ${JSON.stringify([...list, at])}`;
  // Empty: the first page. Null: nobody came to this one by turning.
  const before = cursor === undefined ? null : sessionStorage.getItem(placeOf(cursor));
  return {
    onFirst: cursor === undefined ? undefined : () => turn(undefined),
    onPrevious: before === null ? undefined : () => turn(before || undefined),
    onNext: next
      ? () => {
          sessionStorage.setItem(placeOf(next), cursor ?? "");
          turn(next);
        }
      : undefined,
  };
}
