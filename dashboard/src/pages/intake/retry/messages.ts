import { counted, inLanguage } from "../../../base/language.ts";

const payoutsText = (count: number) => counted(count, "payout", "payouts");

const en = {
  title: "Retry payouts",
  crumb: "Batches",
  does: "retry payouts",
  look: "See all batches",
  facts:
    "Each payout gets a new transaction code, and another person must approve the retry batch.",
  none: "No payout in this batch can be retried now.",
  leftOut: "Not included",
  share: (count: number, says: string) => `${payoutsText(count)}. ${says}`,
  rule: {
    new_details: "Needs new details",
    decision: "Decide whether to retry",
  },
  ruleText: {
    new_details: "The gateway refused these details. The payouts cannot be retried unchanged.",
    decision:
      "The gateway reported these payouts as failed without a reason that payrun can act on. Retry them unchanged and give a reason, or edit their details.",
  },
  count: payoutsText,
  returned: {
    title: "Returned payouts",
    rule: "Need confirmation",
    text: "The gateway reported these payouts as completed, and later as failed or reversed. Check that the money is back in the merchant account before you retry them.",
    confirm: (count: number, sums: readonly string[]) =>
      `The money is back. Retry ${payoutsText(count)}: ${sums.join(", ")}`,
  },
  caption: (meaning: string) => `Declined payouts: ${meaning}`,
  details: "Details",
  fix: "Fix details",
  fixOf: (line: number) => `Fix details on line ${line}`,
  undo: "Undo",
  undoOf: (line: number) => `Undo the change to line ${line}`,
  unchanged: (count: number) => `Retry ${payoutsText(count)} unchanged`,
  reason: "Reason for retrying without changes",
  reasonHint: "Approvers see the reason, and the audit log records it.",
  summary: (edited: number, unchanged: number) =>
    edited + unchanged === 0
      ? "No payouts selected"
      : [
          ...(edited > 0 ? [`${edited.toLocaleString()} with new details`] : []),
          ...(unchanged > 0 ? [`${unchanged.toLocaleString()} unchanged`] : []),
        ].join(", "),
  reasonMissing: ". Give a reason for the unchanged payouts.",
  draft: "Save as draft",
  send: (count: number) =>
    count === 0 ? "Send for approval" : `Send ${payoutsText(count)} for approval`,
  notSent: (why: string) =>
    `The retry batch was created. payrun did not confirm that it was sent for approval: ${why}`,
  editor: {
    title: (who: string, amount: string, line: number) =>
      `Fix details: ${who} · ${amount} (line ${line})`,
    more: "Other details",
    keep: "To keep a value, leave its field unchanged. Account numbers are masked; to replace one, enter the full number.",
    save: "Save details",
    close: "Close without saving",
    valid: "These details are valid.",
    warned: "You can save these details. Read the warnings first.",
  },
};

export const messages = inLanguage({ en });
