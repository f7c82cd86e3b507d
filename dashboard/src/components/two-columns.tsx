import type { ReactNode } from "react";
import classes from "./two-columns.module.css";

/** A wide main column and a context column, which is below it on a phone. */
export function TwoColumns({
  main,
  side,
  isSideFirst = false,
}: {
  readonly main: ReactNode;
  readonly side: ReactNode;
  /** On a phone, the context is above the main column, because it has the decision. */
  readonly isSideFirst?: boolean;
}) {
  return (
    <div className={classes.columns} data-side-first={isSideFirst || undefined}>
      <div className={classes.column}>{main}</div>
      <div className={classes.column}>{side}</div>
    </div>
  );
}
