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
import type { StateWords } from "./state.ts";

/** The labels of the states of a deposit. */
export const DEPOSIT_STATES: Readonly<Record<DepositState, StateWords>> = {
  requested: {
    word: "requested",
    icon: Send,
    tone: "moving",
    sentence:
      "payrun is requesting the deposit from the gateway. The payment page asks the payer to wait.",
  },
  in_doubt: {
    word: "in doubt",
    icon: CircleHelp,
    tone: "doubt",
    sentence:
      "Requested without a conclusive answer. payrun is querying the gateway; do not request another deposit.",
  },
  awaiting_bank: {
    word: "awaiting bank details",
    icon: Clock,
    tone: "quiet",
    sentence: "The payer must enter the account they pay from. They then see where to pay.",
  },
  awaiting_payment: {
    word: "awaiting payment",
    icon: CircleEllipsis,
    tone: "taken",
    sentence: "The payer sees where to pay. No money has arrived.",
  },
  completed: {
    word: "completed",
    icon: CircleCheck,
    tone: "good",
    sentence: "The gateway reports that the money has arrived.",
  },
  expired: {
    word: "expired",
    icon: Clock,
    tone: "quiet",
    sentence: "No money arrived in time. payrun keeps querying the gateway for a while.",
  },
  declined: {
    word: "declined",
    icon: CircleX,
    tone: "bad",
    sentence: "The gateway reports that it will not process the deposit.",
  },
  manual: {
    word: "on hold",
    icon: OctagonAlert,
    tone: "alarm",
    sentence: "Stopped until a person decides. The reason says whether money has arrived.",
  },
  resolved: {
    word: "resolved manually",
    icon: FileCheck,
    tone: "quiet",
    sentence: "Two people recorded the result. The reason says whether money has arrived.",
  },
};
