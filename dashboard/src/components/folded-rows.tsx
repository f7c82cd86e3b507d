import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import classes from "./data-table.module.css";
import { messages } from "./messages.tsx";

/** A longer table first shows ten rows on a phone. */
const ROWS_ON_PHONE = 12;
const FOLDED_ROWS = 10;

/** Where rows are cards. Paper shows all rows. */
const CARDS = "screen and (max-width: 48em)";

interface FoldedRows<Row> {
  /** The rows to draw. */
  readonly rows: readonly Row[];
  readonly isFolded: boolean;
  /** The button that shows all rows. */
  readonly button: ReactNode;
}

/** Folds the rows of a table on a phone. Hidden rows are not drawn, which takes a phone long. */
export function useFoldedRows<Row>(rows: readonly Row[]): FoldedRows<Row> {
  const [showsAll, setShowsAll] = useState(false);
  const hasCards = useMediaQuery(CARDS, undefined, { getInitialValueInEffect: false });
  if (showsAll || !hasCards || rows.length <= ROWS_ON_PHONE)
    return { rows, isFolded: false, button: null };
  const button = (
    <div className={classes.unfold}>
      <Button variant="default" size="xs" fullWidth onClick={() => setShowsAll(true)}>
        {messages.table.showAll(rows.length)}
      </Button>
    </div>
  );
  return { rows: rows.slice(0, FOLDED_ROWS), isFolded: true, button };
}
