import type { Part } from "#approval/status-breakdown.ts";
import { PART_DISPLAY } from "../../base/state.ts";
import classes from "./state-bar.module.css";

interface Counted {
  readonly part: Part;
  readonly count: number;
}

const ORDER = Object.keys(PART_DISPLAY);

/** The parts with payouts, in the order of bars and tables. */
export const partsInOrder = <Of extends Counted>(parts: readonly Of[]): Of[] =>
  parts
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => ORDER.indexOf(one.part) - ORDER.indexOf(other.part));

/** Payouts by state as one bar, without words. Cancelled and held-back payouts are hatched. */
export const PlainStateBar = ({
  parts,
  isLarge,
}: {
  readonly parts: readonly Counted[];
  readonly isLarge?: boolean;
}) => (
  <div className={classes.bar} data-large={isLarge || undefined} aria-hidden>
    {partsInOrder(parts).map(({ part, count }) => (
      <span
        key={part}
        data-tone={PART_DISPLAY[part].tone}
        data-part={part}
        style={{ flexGrow: count }}
      />
    ))}
  </div>
);

/** The colour of a part as a square: solid, or hatched for cancelled and held-back payouts. */
export const PartDot = ({ part }: { readonly part: Part }) => (
  <span className={classes.dot} data-tone={PART_DISPLAY[part].tone} data-part={part} aria-hidden />
);

/** Payouts by state as one bar. The words below repeat the meaning of the colours. */
export function StateBar({
  parts,
  label,
}: {
  readonly parts: readonly Counted[];
  readonly label: string;
}) {
  return (
    <div>
      <PlainStateBar parts={parts} />
      <ul className={classes.words} aria-label={label}>
        {partsInOrder(parts).map(({ part, count }) => (
          <li key={part} data-proven={part === "settled" || undefined}>
            <PartDot part={part} />
            {count.toLocaleString()} {PART_DISPLAY[part].word}
          </li>
        ))}
      </ul>
    </div>
  );
}
