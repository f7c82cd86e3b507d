import type { ReactNode } from "react";
import { inLanguage } from "../../../base/language.ts";

const en = {
  title: "Circuit breakers",
  breaker: "Circuit breaker",
  state: "State",
  open: "Open: lane stopped",
  closed: "Closed",
  now: "Now",
  firstResponse: "opens at the first such response",
  since: "Last opened",
  never: "None recorded",
  allClosed: (count: number) => `All ${count} closed`,
  someNear: (count: number) =>
    `${count} near ${count === 1 ? "its threshold" : "their thresholds"}`,
  lastOpened: (breaker: string, lane: string, at: ReactNode) => (
    <>
      Last opened: {breaker}, {lane}, {at}.
    </>
  ),
  noneOpened: "No circuit breaker has opened since payrun began to record openings.",
  closes: "Closes",
  lastRestart: (lane: string, at: ReactNode) => (
    <>
      Last restart after a stop: {lane}, {at}.
    </>
  ),
  names: {
    errors: "Error rate",
    silence: "Gateway silence",
    slow: "Slow gateway",
    in_doubt: "In-doubt limit",
    no_final_state: "No final states",
    unknown_answer: "Unknown response",
    balance: "Insufficient balance",
    outage: "Gateway unavailable",
    set_up: "Configuration error",
  },
  values: {
    errors: (value: string, max: string) => `${value} of ${max} recent submissions in doubt`,
    silence: (value: string, max: string) => `${value} of ${max} in a row without a response`,
    slow: (value: string, max: string) => `${value} of ${max} late responses in the last 20`,
    in_doubt: (value: string, max: string) => `${value} of ${max} payouts in doubt`,
    no_final_state: (value: string, max: string) => `${value} of ${max} payouts without a result`,
    unknown_answer: (value: string, max: string) => `${value} of ${max} times the same response`,
  },
  closesWhen: {
    errors: "after 3 conclusive responses",
    silence: "after 3 conclusive responses",
    slow: "after 3 conclusive responses",
    in_doubt: "at half of the limit",
    no_final_state: "with the next result",
    unknown_answer: "when a person restarts the lane",
    balance: "after the first accepted payout",
    outage: "after the first accepted payout",
    set_up: "when a person restarts the lane",
  },
  differences: "Thresholds that differ from the default",
  noDifferences: "Every lane uses the default thresholds.",
  defaults: "Default thresholds",
  lane: "Lane",
  threshold: "Threshold",
  value: "Value",
  default: "Default",
  meaning: "Meaning",
  amounts: "Maximum amount in doubt",
  amount: "Amount",
  thresholds: {
    in_doubt_count: "In doubt",
    errors_percent: "In doubt (%)",
    errors_sends: "Submissions measured",
    silence_sends: "Submissions without a response",
    late_sends: "Late responses",
    unknown_answers: "Unreadable responses",
    no_final_state_payouts: "Payouts without a result",
    no_final_state_minutes: "Time without a result (minutes)",
    canary_payouts: "Canary payouts",
    canary_minutes: "Canary timeout (minutes)",
    low_acceptance_percent: "Low acceptance (%)",
    critical_acceptance_percent: "Critical acceptance (%)",
  },
};

export const messages = inLanguage({ en });
