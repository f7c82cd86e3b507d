const STEPS = 3;
const ROUND = [1, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** Digits that remain after rounding. A sum of decimal steps is not exact: 3 × 0.4. */
const DIGITS = 12;

/** The range of an axis before its ends are round. */
export interface AxisRange {
  readonly from: number;
  readonly highest: number;
  /** Each label is a multiple of this unit, such as 1 for counts; null: labels may be decimals. */
  readonly unit: number | null;
  /** The axis ends here at the latest; null: it has no limit. */
  readonly most: number | null;
}

/** Returns the labelled values of an axis, lowest first, and the value at its top. */
export function axisOf({ from, highest, unit, most }: AxisRange) {
  const step = roundStep((Math.max(highest, from) - from) / STEPS, unit);
  const all = Array.from({ length: STEPS + 1 }, (_, at) => exact(from + at * step));
  const ticks = most === null ? all : all.filter((tick) => tick <= most);
  const top = all.at(-1) ?? from;
  return { ticks, top: most === null ? top : Math.min(top, most) };
}

/** The next round step: 1, 2, 2.5, 3, 4, 5, 6 or 8, times a power of ten and the unit. */
function roundStep(least: number, unit: number | null): number {
  const size = unit === null ? least || 1 : Math.max(1, least / unit);
  const power = 10 ** Math.floor(Math.log10(size));
  const found = ROUND.map((round) => exact(round * power)).find(
    (round) => round >= exact(size) && (unit === null || Number.isInteger(round)),
  );
  return (found ?? size) * (unit ?? 1);
}

const exact = (value: number): number => Number(value.toPrecision(DIGITS));
