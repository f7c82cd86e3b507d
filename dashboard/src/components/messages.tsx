import type { ReactNode } from "react";
import { counted, inLanguage } from "../base/language.ts";

const en = {
  close: "Close",
  loading: "Loading",

  outlook: {
    next: "Next:",
    wait: (until: ReactNode, because: string) => (
      <>
        payrun will wait until {until} before sending the payout again, because {because}.
      </>
    ),
    lastChange: "Last change",
  },

  changed: {
    title: "The data has changed since you loaded it",
    textStays:
      "The text you entered will be discarded when you leave this form. Copy it if you still need it.",
    notPossible: "This action is no longer possible.",
  },

  notes: {
    permanent: "This text is stored permanently in the audit log. Do not enter account numbers.",
    reason: "Reason",
    reasonHint: (chars: number) =>
      `The reason is recorded in the audit log. Enter at least ${chars} characters.`,
  },

  dialog: { goBack: "Go back" },

  copy: { copy: "Copy", copied: (text: string) => `Copied: ${text}` },

  table: {
    rowsOnPage: (rows: number) => counted(rows, "row on this page", "rows on this page"),
    turns: {
      page: { first: "First page", previous: "Previous page", next: "Next page" },
      rows: { first: "First rows", previous: "Previous rows", next: "Next rows" },
    },
  },

  equation: {
    region: "Amount by state",
    currency: "Currency",
    approved: { total: "approved", caption: "Approved amount by state" },
    uploaded: { total: "uploaded", caption: "Uploaded amount by state" },
    addsUp: "adds up",
    doesNotAddUp: "does not add up",
  },

  error: { code: (code: string) => `Support code: ${code}`, tryAgain: "Try again" },

  filters: { find: "Find", clear: "Clear", anyState: "any state" },
};

export const messages = inLanguage({ en });
