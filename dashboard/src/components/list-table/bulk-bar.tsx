import { Affix, CloseButton, Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./list-table.module.css";
import { messages } from "./messages.ts";

/** The number of selected rows and their actions, at the bottom of the screen. */
export default function BulkBar({
  count,
  onClear,
  children,
}: {
  readonly count: number;
  readonly onClear: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Affix className={classes.bulk} zIndex={90}>
      <Paper component="section" aria-label={messages.selection} className={classes.bulkBar}>
        <Text size="sm" fw={600} role="status">
          {messages.selected(count)}
        </Text>
        {children}
        <CloseButton size="sm" aria-label={messages.clearSelection} onClick={onClear} />
      </Paper>
    </Affix>
  );
}
