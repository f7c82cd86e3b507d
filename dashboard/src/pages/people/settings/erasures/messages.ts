import { inLanguage } from "../../../../base/language.ts";

const en = {
  title: "Erasure",
  explanation:
    "An erasure makes the data of a person unreadable. Amounts, states and codes stay. It cannot be undone.",
  propose: "Propose an erasure",
  code: "Transaction code",
  codeHint: "Any payout to the person's account, or any deposit of the payer.",
  reason: "Reason",
  reasonHint: "Stays on the audit log. Do not enter data of the person.",
  send: "Propose erasure",
  proposed: "An approver must confirm the erasure.",
  caption: "Erasures",
  none: "There are no erasures.",
  id: "Number",
  state: "State",
  by: "Proposed by",
  emptied: "Erased rows",
  counts: (payouts: number, fileRows: number, comments: number) =>
    `${payouts} payouts or deposits, ${fileRows} file rows, ${comments} comments`,
  action: "Decision",
  states: {
    proposed: "Waiting for an approver",
    rejected: "Rejected",
    erased: "Erased in the ledger. Rotate the key to complete it",
    complete: "Complete",
  },
  confirm: "Erase",
  confirmFor: (id: number) => `Erase the person of erasure ${id}`,
  reject: "Reject",
  rejectFor: (id: number) => `Reject erasure ${id}`,
  own: "Another person must confirm it.",
  rotate:
    "Backups still contain the data of erased people. To complete the erasures, run payrun key rotate, and destroy the old key.",
};

export const messages = inLanguage({ en });
