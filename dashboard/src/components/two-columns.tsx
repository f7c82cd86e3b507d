import type { ReactNode } from "react";
import classes from "./two-columns.module.css";

/** A wide main column and a context column, which is below it on a phone. */
export function TwoColumns({ main, side }: { readonly main: ReactNode; readonly side: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className={classes.column}>{main}</div>
      <div className={classes.column}>{side}</div>
    </div>
  );
}
