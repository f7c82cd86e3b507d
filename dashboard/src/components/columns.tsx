import type { ReactNode } from "react";
import classes from "./columns.module.css";

/** What happened, and beside it (below it on a phone) what it is and what can be done about it. */
export function Columns({ main, side }: { readonly main: ReactNode; readonly side: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className={classes.column}>{main}</div>
      <div className={classes.column}>{side}</div>
    </div>
  );
}
