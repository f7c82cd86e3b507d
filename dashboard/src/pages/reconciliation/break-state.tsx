import { CircleCheck, CircleX, Clock, OctagonAlert } from "lucide-react";
import { StateBadge } from "../../components/payout/state-badge.tsx";
import type { BreakView } from "./break-query.ts";
import { messages } from "./messages.ts";

const DISPLAY = {
  open: { icon: OctagonAlert, tone: "hold" },
  proposed: { icon: Clock, tone: "progress" },
  resolved: { icon: CircleCheck, tone: "settled" },
  closed: { icon: CircleX, tone: "draft" },
} as const;

/** Shows the state of a break. */
export const BreakStateBadge = ({ state }: Pick<BreakView, "state">) => (
  <StateBadge words={{ word: messages.states[state], ...DISPLAY[state] }} />
);
