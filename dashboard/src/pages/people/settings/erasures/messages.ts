import { counted, inLanguage } from "../../../../base/language.ts";

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
    [
      counted(payouts, "payout or deposit", "payouts or deposits"),
      ...(fileRows === 0 ? [] : [counted(fileRows, "file row", "file rows")]),
      ...(comments === 0 ? [] : [counted(comments, "comment", "comments")]),
    ].join(", "),
  action: "Decision",
  states: {
    proposed: "Waiting for an approver",
    rejected: "Rejected",
    erased: "Erased in the ledger. Rotate the key to complete it",
    complete: "Complete",
  },
  confirm: "Erase",
  confirmFor: (id: number) => `Erase the person of erasure ${id}`,
  effect: (reason: string) =>
    `The name, account and other data of this person become unreadable in all payouts, files and comments. This cannot be undone. Reason: ${reason}`,
  reject: "Reject",
  rejectFor: (id: number) => `Reject erasure ${id}`,
  own: "Another person must confirm it.",
  rotate:
    "Backups still contain the data of erased people. To complete the erasures, run payrun key rotate, and destroy the old key.",
};

export const messages = inLanguage({ en });
