import type { ReactNode } from "react";
import { inLanguage } from "../../../base/language.ts";

/** Texts of the rows that an approver reviews. */
const en = {
  title: "Payouts",
  caption: "Payouts in review order",
  order: "Order of payouts",
  orders: { flagged: "Findings first", largest: "Largest first" },
  filter: "Payouts shown",
  show: {
    all: "All",
    flagged: "With findings",
    corrected: "Corrected",
    new: "New accounts",
    changed: "Changed since the previous batch",
  },
  shown: (listed: number, count: number) =>
    `${listed.toLocaleString()} of ${count.toLocaleString()} shown`,
  find: "Find a name, line, amount or account",
  none: "No payouts match. Choose All or change the search text.",
  loading: "Loading payouts…",
  searching: "Searching…",
  line: "Line",
  beneficiary: "Beneficiary",
  account: "Account",
  amount: "Amount",
  check: "Findings",
  empty: "empty",
  nothing: "Nothing unusual",
  correctedBy: (name: ReactNode) => <>Corrected by {name}</>,
  checks: {
    new_bank_details: { text: "New bank details", attention: true },
    new_details: { text: "Other changed details", attention: true },
    own_callback: { text: "Callback URL set in the file", attention: true },
    own_payout_code: { text: "Payout code set in the file", attention: true },
    paid_lately: { text: "Also in a batch from the last 7 days", attention: true },
    twice_here: { text: "Twice in this batch", attention: true },
    being_retried: { text: "Also in a retry batch", attention: true },
    in_approved_batch: { text: "Also in an approved batch", attention: true },
    one_digit_off: { text: "Account differs by one digit", attention: true },
    other_account: { text: "New account for a known name", attention: true },
    other_name: { text: "Account used under another name", attention: true },
    above_usual: { text: "Above the usual amount", attention: true },
    mixed_scripts: { text: "Letters from several scripts", attention: true },
    warned: { text: "Warning in the file", attention: true },
    corrected: { text: "Corrected after upload", attention: true },
    never_paid: { text: "First payout to this account", attention: false },
    near_limit: { text: "Close to the maximum amount", attention: false },
    paid_this_month: { text: "Also in a batch from the last 30 days", attention: false },
  },
};

export const reviewMessages = inLanguage({ en });
