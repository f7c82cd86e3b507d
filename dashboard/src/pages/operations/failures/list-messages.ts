import { counted, inLanguage } from "../../../base/language.ts";

const en = {
  noFailures: "No payouts are declined, returned, deferred, in doubt or on hold.",
  noMatches: "No failures match these filters.",
  clearFilters: "Clear filters",
  caption: "Failure groups",
  found: (groups: number, payouts: number) =>
    `${counted(groups, "failure group", "failure groups")} · ${counted(payouts, "payout", "payouts")}`,
  largestGroups: (shown: number, total: number) =>
    `This page shows the ${shown.toLocaleString()} largest of ${total.toLocaleString()} groups. The exported file contains every payout.`,

  retriedIn: (count: number) => `${count.toLocaleString()} retried in`,
  correctedBy: (name: string) => `${name} or another uploader can fix the details`,
  nextActions: {
    operator: "Review by an operator",
    maker: "An uploader can fix the details",
    payrun: "None, payrun continues",
  },

  filters: {
    state: "State",
    deferred: "deferred",
    any: "any",
    currency: "Currency",
    currencyHint: "INR",
    batch: "Batch",
    changed: "Last change",
    assignedTo: "Assigned to",
    me: "me",
    nobody: "nobody",
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
        .join(" and ")}.`,
    show: "Show snoozed",
    hide: "Hide snoozed",
  },

  columns: {
    cause: "Cause",
    amount: "Amount",
    state: "State",
    payouts: "Payouts",
    nextAction: "Next action",
    assignedTo: "Assigned to",
    oldest: "Oldest",
    newest: "Newest",
  },
};

export const messages = inLanguage({ en });
