import { inLanguage } from "../../../../base/language.ts";

const en = {
  title: "Retention",
  explanation:
    "Without a rule, payrun keeps data indefinitely. It always keeps payouts with their codes and results, approvals and the audit log. Data of a batch is deleted only if nothing about the batch is open and its business days are closed.",
  rules: "Rules",
  twoAdmins:
    "A shorter time, a new rule that deletes, and the end of a legal hold need a second admin.",
  kinds: {
    payout_details: {
      label: "Keep details of payouts at least",
      hint: "A person is not erased earlier, and rejected rows are kept as long.",
    },
    rejected_rows: {
      label: "Delete rejected rows and rows with findings after",
      hint: "Counted from the end of their batch. Reports then list only payouts.",
    },
    deliveries: {
      label: "Delete the delivery log after",
      hint: "Messages that were delivered, or that payrun gave up on.",
    },
    notifications: { label: "Delete read notifications after", hint: "Unread ones are kept." },
    sessions: {
      label: "Delete ended sessions after",
      hint: "The last session of each user, and sessions with an approval, are kept.",
    },
  },
  days: " days",
  noRule: "No rule. Enter days.",
  isHeld: "Legal hold: no data is deleted and no person is erased",
  reason: "Reason for the legal hold",
  save: "Save rules",
  saved: "Rules saved.",
  lastRun: "Last daily run",
  never: "none yet",
  expired: (rows: number) => `Rows that the next run deletes with the saved rules: ${rows}`,
};

export const messages = inLanguage({ en });
