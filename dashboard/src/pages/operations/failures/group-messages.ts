import { counted, inLanguage } from "../../../base/language.ts";

const en = {
  close: "Close",

  explanations: {
    operator:
      "payrun is neither sending these payouts nor querying their status automatically. Do not pay them again until the issue is resolved.",
    maker:
      "The gateway has conclusively declined these payouts. Correct their rows and upload them in a new file, or retry them from the batch page.",
    retried:
      "Another batch retries these payouts under new transaction codes. If you also pay them in a new file, they are paid twice.",
    payrun:
      "payrun is querying the status of these payouts, or will send them again under the same transaction codes. Do not pay them again.",
  },

  group: {
    state: "State",
    todo: "Next step",
    mayPayAgain: "Can these payouts be retried?",
    payAgain: "Yes, in a new file with corrected rows.",
    doNotPayAgain: "No.",
    retried: "No. Another batch already retries them.",
    payOthersAgain: (left: number, count: number) =>
      `${left.toLocaleString()} of ${count.toLocaleString()}, in a new file with corrected rows. Another batch already retries the others.`,
    retries: "Retry batches",
    breakdown: (groups: number) => `By currency and bank (${groups.toLocaleString()})`,
    currency: "Currency",
    bank: "Bank",
    noBank: "none",
    payouts: "Payouts",
    amount: "Amount",
    span: "Oldest and newest",
    example: "Example",
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
