import { columnName } from "../column-messages.ts";
import { UserText } from "../../user-text.tsx";
import { messages as texts } from "./retry-messages.tsx";
import classes from "./cell-changes.module.css";

/** A cell of a row. Undefined `after`: it is unchanged. */
interface Cell {
  readonly column: string;
  readonly before: string;
  readonly after?: string | undefined;
}

/** Cells of a row, one on each line: the value, or the value before and after a change. */
export const CellChanges = ({ of }: { readonly of: readonly Cell[] }) =>
  of.map(({ column, before, after }) => (
    <div key={column} className={classes.cell}>
      <span className={classes.column}>{columnName(column)}</span>{" "}
      {after === undefined ? (
        <Value of={before} />
      ) : (
        <>
          <del>
            <Value of={before} />
          </del>{" "}
          <span aria-hidden>→</span>{" "}
          <ins className={classes.after}>
            <Value of={after} />
          </ins>
        </>
      )}
    </div>
  ));

/** "••••••••••8812" becomes "••8812". */
const Value = ({ of }: { readonly of: string }) => (
  <UserText text={of.replace(/^•{3,}/u, "••") || texts.empty} />
);
