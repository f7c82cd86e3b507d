import {
  CircleCheck,
  CircleEllipsis,
  CircleHelp,
  CircleX,
  Clock,
  FileCheck,
  OctagonAlert,
  Send,
} from "lucide-react";
import type { DepositState } from "#deposit/lifecycle.ts";
import { messages } from "./state-messages.ts";
import type { StateDisplay } from "./state.ts";

/** The texts, icons and tones of the states of a deposit. */
export const DEPOSIT_STATES: Readonly<Record<DepositState, StateDisplay>> = {
  requested: { ...messages.deposits.requested, icon: Send, tone: "progress" },
  in_doubt: { ...messages.deposits.in_doubt, icon: CircleHelp, tone: "doubt" },
  awaiting_bank: { ...messages.deposits.awaiting_bank, icon: Clock, tone: "awaiting" },
  awaiting_payment: {
    ...messages.deposits.awaiting_payment,
    icon: CircleEllipsis,
    tone: "awaiting",
  },
  completed: { ...messages.deposits.completed, icon: CircleCheck, tone: "settled" },
  expired: { ...messages.deposits.expired, icon: Clock, tone: "draft" },
  declined: { ...messages.deposits.declined, icon: CircleX, tone: "declined" },
  manual: { ...messages.deposits.manual, icon: OctagonAlert, tone: "hold" },
  resolved: { ...messages.deposits.resolved, icon: FileCheck, tone: "draft" },
};
