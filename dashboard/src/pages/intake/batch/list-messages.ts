import { inLanguage } from "../../../base/language.ts";

/** The texts of the list of payouts, which loads apart from the page. */
const en = {
  caption: "Payouts in this batch",
  state: "State",
  cause: "Cause",
  anyCause: "Any cause",
  compared: "Previous batch",
  allCompared: "All payouts",
  changed: "New accounts and changed amounts",
  empty: "This batch has no payouts because no rows in its file can be paid.",
  noMatch: "No payouts match these filters.",
  clear: "Show all payouts",
};

export const listMessages = inLanguage({ en });
