import { Button } from "@mantine/core";
import { useState } from "react";
import classes from "./data-table.module.css";
import { messages } from "./messages.tsx";

/** A longer table first shows ten rows on a phone, as the style sheet of the cards says. */
const ROWS_ON_PHONE = 12;

/**
 * Folds the rows of a table on a phone.
 *
 * @returns the attributes of an element around the table, and the button that shows all rows.
 */
export function useFoldedRows(rows: number) {
  const [showsAll, setShowsAll] = useState(false);
  const isFolded = !showsAll && rows > ROWS_ON_PHONE;
  return {
    attributes: { "data-folded": isFolded || undefined },
    button: isFolded ? (
      <div className={classes.unfold}>
        <Button variant="default" size="xs" fullWidth onClick={() => setShowsAll(true)}>
          {messages.table.showAll(rows)}
        </Button>
      </div>
    ) : null,
  };
}
