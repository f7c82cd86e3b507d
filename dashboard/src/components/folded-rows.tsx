import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import classes from "./data-table.module.css";
import { messages } from "./messages.tsx";

/** A table with more than `max` rows first shows `folded` rows on a phone. */
const LIMITS = { max: 12, folded: 10, label: messages.table.showAll };

/** Where rows are cards. Paper shows all rows. */
const CARDS = "screen and (max-width: 45.99em)";

interface FoldedRows<Row> {
  /** The rows to draw. */
  readonly rows: readonly Row[];
  readonly isFolded: boolean;
  /** The button that shows all rows. */
  readonly button: ReactNode;
}

/** Folds the rows of a table on a phone. Hidden rows are not drawn, which takes a phone long. */
export function useFoldedRows<Row>(
  rows: readonly Row[],
  { max, folded, label } = LIMITS,
): FoldedRows<Row> {
  const [showsAll, setShowsAll] = useState(false);
  const hasCards = useMediaQuery(CARDS, undefined, { getInitialValueInEffect: false });
  if (showsAll || !hasCards || rows.length <= max) return { rows, isFolded: false, button: null };
  const button = (
    <div className={classes.unfold}>
      <Button variant="default" size="xs" fullWidth onClick={() => setShowsAll(true)}>
        {label(rows.length)}
      </Button>
    </div>
  );
  return { rows: rows.slice(0, folded), isFolded: true, button };
}
