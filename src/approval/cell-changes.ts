/** A cell that a correction changed. */
export interface CellChange {
  readonly column: string;
  readonly before: string;
  readonly after: string;
  /** The only position, counted from 1, at which the two values differ. Null: several. */
  readonly differsAt: number | null;
}

/**
 * Compares a row before and after its corrections, cell by cell. A row whose cells may have shifted
 * has no comparable cells.
 *
 * @param mask hides account numbers in the cells of a row.
 */
export function cellChanges(
  header: readonly string[],
  before: readonly string[],
  after: readonly string[],
  mask: (cells: readonly string[]) => readonly string[],
): readonly CellChange[] {
  if (before.length !== header.length || after.length !== header.length) return [];
  const [shownBefore, shownAfter] = [mask(before), mask(after)];
  return header.flatMap((column, place) => {
    const [old = "", now = ""] = [before[place], after[place]];
    if (old.trim() === now.trim()) return [];
    return {
      column,
      before: shownBefore[place] ?? "",
      after: shownAfter[place] ?? "",
      differsAt: onlyDifference(old.trim(), now.trim()),
    };
  });
}

function onlyDifference(one: string, other: string): number | null {
  if (one.length !== other.length) return null;
  const places = Array.from(one, (char, place) => (char === other[place] ? [] : place + 1)).flat();
  return places.length === 1 ? (places[0] ?? null) : null;
}
