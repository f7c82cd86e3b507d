import { Badge } from "@mantine/core";
import type { BreakView } from "./break-query.ts";
import { messages } from "./messages.ts";

const COLOURS = { open: "orange", proposed: "indigo", resolved: "green", closed: "gray" } as const;

/** Shows the state of a break. */
export const BreakStateBadge = ({ state }: Pick<BreakView, "state">) => (
  <Badge variant="light" color={COLOURS[state]} tt="none">
    {messages.states[state]}
  </Badge>
);
