import { inLanguage } from "../../../base/language.ts";

const en = {
  title: "Individual payouts",
  caption: "Payouts assigned or snoozed individually",
  onlyLatest: (total: number) =>
    `This list shows only the most recently changed payouts. There are ${total.toLocaleString()} in total.`,
  payout: "Payout",
  state: "State",
  amount: "Amount",
  assignment: "Assignment",
  reason: "Reason",
};

export const messages = inLanguage({ en });
