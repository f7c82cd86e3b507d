import { counted, inLanguage } from "../../../base/language.ts";

const en = {
  close: "Close",

  group: {
    actions: (count: number) => `Actions on ${counted(count, "payout", "payouts")}`,
    state: "State",
    retries: "Retry batches",
    breakdown: (groups: number) => `By currency and bank (${groups.toLocaleString()})`,
    bank: "Bank",
    noBank: "No bank",
    payouts: "Payouts",
    amount: "Amount",
    span: "Oldest and newest",
    file: "File",
    csv: "CSV",
    csvOf: (currency: string, bank: string | null) => `CSV for ${currency}, ${bank ?? "no bank"}`,
  },

  triage: {
    comments: (meaning: string) => `Comments: ${meaning}`,
    earlierComments: (meaning: string) => `Earlier comments: ${meaning}`,
    earlierCount: (count: number) => counted(count, "earlier comment", "earlier comments"),
    actions: "Assign, comment, snooze",
    actionsWithoutSnooze: "Assign, comment",
    scope: "Applies to all payouts in this failure group, across every batch, currency and bank.",
    comment: "Comment",
    addComment: "Add comment",
  },
};

export const messages = inLanguage({ en });
