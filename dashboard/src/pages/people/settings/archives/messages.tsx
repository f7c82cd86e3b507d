import type { ReactNode } from "react";
import { inLanguage } from "../../../../base/language.ts";

const en = {
  title: "Archives",
  explanation: (command: (text: string) => ReactNode) => (
    <>
      {command("payrun archive create")} writes the course of old payouts to a signed file. After
      two admins have agreed, {command("payrun archive detach")} removes the archived rows from the
      ledger. Amounts, states and codes stay.
    </>
  ),
  caption: "Archive files",
  none: "There are no archives.",
  file: "File",
  until: "Changed before",
  payouts: "Payouts",
  rows: "Rows",
  action: "Action",
  stored: {
    ledger: "in the ledger",
    proposed: "in the ledger, removal proposed",
    agreed: "in the ledger, ready to be removed",
    detaching: "being removed",
    file: "only in the file",
  },
  propose: "Propose removal",
  proposeFor: (file: string) => `Propose removal of the rows in ${file}`,
  proposed: "Another admin must confirm the removal.",
};

export const messages = inLanguage({ en });
