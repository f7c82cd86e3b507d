/** A cell that a correction changed. */
export interface CellChange {
  readonly column: string;
  readonly before: string;
  readonly after: string;
  readonly differs: Difference | null;
}

/**
 * The positions, counted from 1, of the first and the last character in which two values of the
 * same length differ. They tell masked values apart.
 */
export interface Difference {
  readonly from: number;
  readonly to: number;
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
      differs: differenceOf(old.trim(), now.trim()),
    };
  });
}

/** Returns where two values differ. Null: they are equal, or one is longer. */
export function differenceOf(one: string, other: string): Difference | null {
  if (one.length !== other.length) return null;
  const places = Array.from({ length: one.length }, (_, place) => place).filter(
    (place) => one[place] !== other[place],
  );
  const [first, last] = [places[0], places.at(-1)];
  return first === undefined || last === undefined ? null : { from: first + 1, to: last + 1 };
}
