import { counted, inLanguage } from "../../../base/language.ts";

const en = {
  title: "Failures",
  downloadAll: "Download all as CSV",
  noFailures: "No payouts are declined, returned, deferred, in doubt or on hold.",
  noMatches: "No failures match these filters.",
  clearFilters: "Clear filters",
  totals: "Totals by state",
  payouts: (count: number) => counted(count, "payout", "payouts"),
  largestGroups: (shown: number, total: number) =>
    `This page shows the ${shown.toLocaleString()} largest of ${total.toLocaleString()} groups. The CSV file contains every payout.`,

  sections: {
    operator: {
      title: "Needs an operator",
      explanation:
        "payrun is neither sending these payouts nor querying their status automatically. Do not pay them again until the issue is resolved.",
    },
    maker: {
      title: "Needs correction",
      explanation:
        "The gateway has conclusively declined these payouts. Correct their rows and upload them in a new file, or retry them unchanged from the batch page.",
    },
    payrun: {
      title: "Handled by payrun",
      explanation:
        "payrun is querying the status of these payouts, or will send them again under the same transaction codes. Do not pay them again.",
    },
  },

  filters: {
    state: "State",
    deferred: "deferred",
    any: "any",
    currency: "Currency",
    currencyHint: "INR",
    batch: "Batch",
    from: "From",
    to: "To",
    assignedTo: "Assigned to",
    me: "me",
    nobody: "nobody",
    find: "Find",
  },

  noneAssigned: {
    me: "None of these failures are assigned to you.",
    nobody: "All of these failures have been assigned.",
  },

  snoozed: {
    summary: (groups: number, payoutsInGroups: number, individual: number) =>
      `Snoozed: ${[
        groups > 0
          ? `${counted(groups, "failure group", "failure groups")} with ${counted(payoutsInGroups, "payout", "payouts")}`
          : null,
        individual > 0 ? counted(individual, "individual payout", "individual payouts") : null,
      ]
        .filter(Boolean)
        .join(" and ")}. The totals above include snoozed payouts.`,
    show: "Show snoozed",
    hide: "Hide snoozed",
  },

  group: {
    state: "State",
    todo: "Next step",
    mayPayAgain: "Can these payouts be retried?",
    payAgain: "Yes, in a new file with corrected rows.",
    doNotPayAgain: "No.",
    breakdown: (groups: number) => `By currency and bank (${groups.toLocaleString()})`,
    breakdownCaption: (meaning: string) => `${meaning} By currency and bank`,
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

  individual: {
    title: "Individual payouts",
    caption: "Payouts assigned or snoozed individually",
    onlyLatest: (total: number) =>
      `This list shows only the most recently changed payouts. There are ${total.toLocaleString()} in total.`,
    payout: "Payout",
    state: "State",
    amount: "Amount",
    assignment: "Assignment",
    reason: "Reason",
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
