import { counted, inLanguage } from "../base/language.ts";

const en = {
  close: "Close",
  loading: "Loading",

  dialog: { goBack: "Go back" },

  copy: { copy: "Copy", copied: (text: string) => `Copied: ${text}` },

  clearFilters: (filters: number) => `Clear ${counted(filters, "filter", "filters")}`,
  currencies: (count: number, payouts: number | undefined) =>
    payouts === undefined
      ? counted(count, "currency", "currencies")
      : `${counted(count, "currency", "currencies")}\u00a0· ${counted(payouts, "payout", "payouts")}`,

  /** Next to the times of a page on a phone and on paper. */
  timesIn: (zone: string) => `Times in ${zone}`,

  table: {
    showAll: (rows: number) => `Show all ${counted(rows, "row", "rows")}`,
    showCurrencies: (currencies: number) => `Show all ${currencies} currencies`,
    rowsOnPage: (rows: number) => counted(rows, "row on this page", "rows on this page"),
    turns: {
      page: { first: "First page", previous: "Previous page", next: "Next page" },
      rows: { first: "First rows", previous: "Previous rows", next: "Next rows" },
    },
  },

  decision: {
    confirm: "Confirm",
    refuse: "Reject",
    own: "Another approver must confirm your proposal.",
    byApprovers: "An approver must confirm this proposal.",
  },

  error: { code: (code: string) => `Support code: ${code}`, tryAgain: "Try again" },
};

export const messages = inLanguage({ en });
