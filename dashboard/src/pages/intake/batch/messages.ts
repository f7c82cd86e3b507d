import { counted, inLanguage } from "../../../base/language.ts";

/** "Chen Wei, Priya Raman or Asha Rao" */
const listed = (names: readonly string[], joint: "and" | "or" = "or"): string => {
  const [last, ...others] = names.toReversed();
  return others.length === 0
    ? (last ?? "Nobody")
    : `${others.toReversed().join(", ")} ${joint} ${last}`;
};

const en = {
  sendForApproval: {
    verb: "Send for approval",
    text: (payouts: number, total: string, approvers: readonly string[]) =>
      `${counted(payouts, "payout", "payouts")}, ${total}. ${listed(approvers)} can approve the batch. No payouts are sent before the approval.`,
    sent: (approvers: readonly string[]) =>
      `Sent for approval. The batch is now under Approvals for ${listed(approvers, "and")}.`,
    details: "Add control totals or a purpose first",
  },
};

export const messages = inLanguage({ en });
