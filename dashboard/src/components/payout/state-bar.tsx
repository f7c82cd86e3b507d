import type { Part } from "#approval/status-breakdown.ts";
import { PART_DISPLAY } from "../../base/state.ts";
import classes from "./state-bar.module.css";

interface Counted {
  readonly part: Part;
  readonly count: number;
}

/** Payouts by state as one bar. The words below repeat the meaning of the colours. */
export function StateBar({
  parts,
  label,
}: {
  readonly parts: readonly Counted[];
  readonly label: string;
}) {
  const order = Object.keys(PART_DISPLAY);
  const some = parts
    .filter(({ count }) => count > 0)
    .sort((one, other) => order.indexOf(one.part) - order.indexOf(other.part));
  return (
    <div>
      <div className={classes.bar} aria-hidden>
        {some.map(({ part, count }) => (
          <span
            key={part}
            data-tone={PART_DISPLAY[part].tone}
            data-part={part}
            style={{ flexGrow: count }}
          />
        ))}
      </div>
      <ul className={classes.words} aria-label={label}>
        {some.map(({ part, count }) => (
          <li
            key={part}
            data-tone={PART_DISPLAY[part].tone}
            data-part={part}
            data-proven={part === "settled" || undefined}
          >
            {count.toLocaleString()} {PART_DISPLAY[part].word}
          </li>
        ))}
      </ul>
    </div>
  );
}
