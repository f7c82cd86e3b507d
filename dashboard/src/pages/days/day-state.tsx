import { CircleCheck, CircleEllipsis, OctagonAlert, Undo2 } from "lucide-react";
import { StateBadge } from "../../components/payout/state-badge.tsx";
import type { DayView } from "./day-query.ts";
import { messages } from "./messages.tsx";

const DISPLAY = {
  open: { icon: CircleEllipsis, tone: "draft" },
  closed: { icon: CircleCheck, tone: "settled" },
  broken: { icon: OctagonAlert, tone: "declined" },
  reopened: { icon: Undo2, tone: "hold" },
} as const;

/** Shows the state of a business day. */
export const DayStateBadge = ({ state }: Pick<DayView, "state">) => (
  <StateBadge words={{ word: messages.states[state], ...DISPLAY[state] }} />
);
