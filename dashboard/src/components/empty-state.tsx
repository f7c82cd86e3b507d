import { Button, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./empty-state.module.css";
import { messages } from "./messages.tsx";

/** Explains why a list is empty and offers an action. */
export function EmptyState({
  text,
  children,
}: {
  readonly text: string;
  readonly children?: ReactNode;
}) {
  return (
    <Stack align="center" gap="sm" className={classes.empty}>
      <Text c="dimmed" ta="center">
        {text}
      </Text>
      {children}
    </Stack>
  );
}

/** The button of a list that its filters leave empty. */
export const ClearFilters = ({
  filters,
  onClear,
}: {
  /** The number of filters. */
  readonly filters: number;
  readonly onClear: () => void;
}) =>
  filters === 0 ? null : (
    <Button variant="default" onClick={onClear}>
      {messages.clearFilters(filters)}
    </Button>
  );
