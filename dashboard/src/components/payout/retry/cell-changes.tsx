import { columnName } from "../column-messages.ts";
import { UserText } from "../../user-text.tsx";
import { messages as texts } from "./retry-messages.tsx";
import classes from "./cell-changes.module.css";

/** A cell of a row. Undefined `after`: it is unchanged. */
interface Cell {
  readonly column: string;
  readonly before: string;
  readonly after?: string | undefined;
  readonly differs?: Difference;
}

type Difference = { readonly from: number; readonly to: number } | null;

/** Cells of a row, one on each line: the value, or the value before and after a change. */
export const CellChanges = ({ of }: { readonly of: readonly Cell[] }) =>
  of.map(({ column, before, after, differs = null }) => (
    <div key={column} className={classes.cell}>
      <span className={classes.column}>{columnName(column)}</span>{" "}
      {after === undefined ? (
        <Value of={before} />
      ) : (
        <ChangedValue before={before} after={after} differs={differs} />
      )}
    </div>
  ));

/**
 * The value before a change, struck through, and the value after it, highlighted. Masked values
 * that look alike are followed by the part that changed.
 */
export function ChangedValue({
  before,
  after,
  differs,
}: {
  readonly before: string;
  readonly after: string;
  readonly differs: Difference;
}) {
  const areAlike = shortened(before) === shortened(after);
  return (
    <>
      <del className={classes.before}>
        <Value of={before} />
      </del>{" "}
      <span aria-hidden>→</span>{" "}
      <ins className={classes.after}>
        <Value of={after} />
      </ins>
      {areAlike ? (
        <small className={classes.hidden}>
          {differs === null
            ? texts.lengths(before.length, after.length)
            : texts.differs(differs.from, differs.to)}
        </small>
      ) : null}
    </>
  );
}

/** "••••••••••8812" becomes "••8812". */
const shortened = (text: string): string => text.replace(/^•{3,}/u, "••");

const Value = ({ of }: { readonly of: string }) => <UserText text={shortened(of) || texts.empty} />;
