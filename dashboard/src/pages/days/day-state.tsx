import { Badge } from "@mantine/core";
import type { DayView } from "./day-query.ts";
import { messages } from "./messages.tsx";

const COLOURS = { open: "gray", closed: "green", broken: "red", reopened: "orange" } as const;

/** Shows the state of a business day. */
export const DayStateBadge = ({ state }: Pick<DayView, "state">) => (
  <Badge variant="light" color={COLOURS[state]} tt="none">
    {messages.states[state]}
  </Badge>
);
