import { Affix, Button, CloseButton, Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./list-table.module.css";
import { messages } from "./messages.ts";

/** The number of selected rows and their actions, at the bottom of the screen. */
export default function BulkBar({
  count,
  isWhole,
  found,
  onWhole,
  onClear,
  children,
}: {
  /** The number of selected rows among the loaded ones. */
  readonly count: number;
  /** Every row that the filters find is selected. */
  readonly isWhole: boolean;
  /** The number of rows that the filters find; null if it is too large to be counted. */
  readonly found: number | null;
  /** Undefined: no action applies to everything that the filters find. */
  readonly onWhole: (() => void) | undefined;
  readonly onClear: () => void;
  readonly children: ReactNode;
}) {
  const hasMore = onWhole !== undefined && !isWhole && (found === null || found > count);
  return (
    <Affix className={classes.bulk} zIndex={90}>
      <Paper component="section" aria-label={messages.selection} className={classes.bulkBar}>
        <Text size="sm" fw={600} role="status">
          {isWhole ? messages.wholeSelected(found) : messages.selected(count)}
        </Text>
        {hasMore ? (
          <Button variant="subtle" size="compact-sm" onClick={onWhole}>
            {messages.selectWhole(found)}
          </Button>
        ) : null}
        {children}
        <CloseButton
          size="sm"
          aria-label={messages.clearSelection}
          className={classes.clear}
          onClick={onClear}
        />
      </Paper>
    </Affix>
  );
}
