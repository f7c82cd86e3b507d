import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./empty-state.module.css";

/** Says why there is nothing and what one can do. */
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
