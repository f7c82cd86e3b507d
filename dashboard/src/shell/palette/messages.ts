import { inLanguage } from "../../base/language.ts";

const numberOf = (count: number | null): string =>
  count === null ? "" : `${count.toLocaleString()} `;

const en = {
  title: "Search and commands",
  label: "Search pages, actions, payouts, batches and deposits",
  placeholder: "Search by name, code, gateway number, amount or file",
  results: "Results",
  close: "Close the search",
  hints: { move: "to select", open: "to open", escape: "esc", close: "to close" },

  groups: {
    actions: "Actions",
    pages: "Pages",
    payouts: "Payouts",
    batches: "Batches",
    deposits: "Deposits",
  },

  /** Each action with other words by which it is found. */
  actions: {
    upload: { label: "Upload a file", keywords: "new batch csv xlsx payout" },
    schedule: { label: "Create a schedule", keywords: "new recurring" },
    deposit: { label: "Request a deposit", keywords: "new collect payment link" },
    pause: { label: "Pause or resume sending", keywords: "stop lane gateway" },
    invite: { label: "Invite a user", keywords: "new person add" },
    statement: { label: "Upload a statement", keywords: "reconciliation bank camt csv" },
    key: { label: "Create an API key", keywords: "new token" },
    light: { label: "Use the light theme", keywords: "bright colour color" },
    dark: { label: "Use the dark theme", keywords: "night colour color" },
    shortcuts: { label: "Show keyboard shortcuts", keywords: "keys help" },
  },
  /** Pages and filtered lists that the rail does not link to. */
  pages: {
    close: { label: "Daily close", keywords: "reconciliation days calendar close day" },
    settled: { label: "Settled payouts", keywords: "paid completed" },
    declined: { label: "Declined payouts", keywords: "failed refused" },
    onHold: { label: "Payouts on hold", keywords: "held review" },
    inDoubt: { label: "Payouts in doubt", keywords: "unknown" },
    apiDocs: { label: "API documentation", keywords: "reference openapi developer" },
  },
  profile: { label: "Your profile", keywords: "password second factor sessions" },
  settingsPage: (name: string) => `Settings: ${name}`,

  /** Null: too many to count. */
  all: {
    payouts: (count: number | null) => `Show all ${numberOf(count)}payouts`,
    batches: (count: number | null) => `Show all ${numberOf(count)}batches`,
    deposits: (count: number | null) => `Show all ${numberOf(count)}deposits`,
  },
  more: (count: number | null) =>
    count === null ? "More results in the list" : `${count.toLocaleString()} more in the list`,

  batch: (id: string) => `Batch ${id}`,
  gatewayNumber: (code: string, number: string) => `${code} · gateway number ${number}`,
  unnamed: "No name",
  erased: "Erased",

  failed: "The search failed because the server did not respond. Try again in a moment.",
  searching: "Searching…",
  accountsHidden:
    "No results. To search by account, you need permission to see full account numbers. Anyone can search by the last four digits.",
  empty:
    "No results. You can search for the beginning of a name, code, gateway number or file, the last four digits of an account, a user ID, or an amount such as 1200 or 99.50.",
};

export const messages = inLanguage({ en });
