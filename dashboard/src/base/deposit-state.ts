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
  requested: { ...messages.deposits.requested, icon: Send, tone: "moving" },
  in_doubt: { ...messages.deposits.in_doubt, icon: CircleHelp, tone: "doubt" },
  awaiting_bank: { ...messages.deposits.awaiting_bank, icon: Clock, tone: "quiet" },
  awaiting_payment: { ...messages.deposits.awaiting_payment, icon: CircleEllipsis, tone: "taken" },
  completed: { ...messages.deposits.completed, icon: CircleCheck, tone: "good" },
  expired: { ...messages.deposits.expired, icon: Clock, tone: "quiet" },
  declined: { ...messages.deposits.declined, icon: CircleX, tone: "bad" },
  manual: { ...messages.deposits.manual, icon: OctagonAlert, tone: "alarm" },
  resolved: { ...messages.deposits.resolved, icon: FileCheck, tone: "quiet" },
};
