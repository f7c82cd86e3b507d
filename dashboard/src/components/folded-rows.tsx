import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import classes from "./data-table.module.css";
import { messages } from "./messages.tsx";

/** How many rows are first shown. A button with the label shows all. */
export interface FoldLimits {
  /** A list with more rows is folded on a phone. */
  readonly max: number;
  /** The number of rows of a folded list on a phone. */
  readonly folded: number;
  /** The number of rows on a wide screen; none: all. */
  readonly wide?: number;
  readonly label: (rows: number) => string;
}

const LIMITS: FoldLimits = { max: 12, folded: 10, label: messages.table.showAll };

/** For pages with several lists: at most five rows each on a phone. */
export const FIVE_ON_PHONE: FoldLimits = { max: 5, folded: 5, label: messages.table.showAll };

/** Where rows are cards. Paper shows all rows. */
const CARDS = "screen and (max-width: 45.99em)";

interface FoldedRows<Row> {
  /** The rows to draw. */
  readonly rows: readonly Row[];
  readonly isFolded: boolean;
  /** The button that shows all rows. */
  readonly button: ReactNode;
}

/**
 * Folds the rows of a list, usually only on a phone. Hidden rows are not rendered, because
 * rendering many rows is slow on a phone.
 */
export function useFoldedRows<Row>(
  rows: readonly Row[],
  { max, folded, wide = Number.POSITIVE_INFINITY, label }: FoldLimits = LIMITS,
): FoldedRows<Row> {
  const [showsAll, setShowsAll] = useState(false);
  const hasCards = useMediaQuery(CARDS, undefined, { getInitialValueInEffect: false });
  if (showsAll || rows.length <= (hasCards ? max : wide))
    return { rows, isFolded: false, button: null };
  const button = (
    <div className={classes.unfold}>
      <Button variant="default" size="xs" fullWidth onClick={() => setShowsAll(true)}>
        {label(rows.length)}
      </Button>
    </div>
  );
  return { rows: rows.slice(0, hasCards ? folded : wide), isFolded: true, button };
}
