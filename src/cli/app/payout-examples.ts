import { BATCH, type Examples } from "#cli/app/batch-examples.ts";

/** Invented, in the form of a real one. */
export const PAYOUT = "PR4H8QX2M7KC9TZ3WNB6";
const PROPOSAL = "PA7QK2M4N8PX";

/** Examples of the commands about payouts. */
export const PAYOUT_EXAMPLES: Examples = {
  payout: [[`payrun payout show ${PAYOUT}`, "See whether money has moved, and what happens next"]],
  "payout show": [[`payrun payout show ${PAYOUT}`, "See whether money has moved"]],
  "payout search": [
    ["payrun payout search 22407.13", "Find payouts by amount"],
    ['payrun payout search "Asha Rao" --json', "Find payouts by name, as JSON"],
  ],
  "payout query": [[`payrun payout query ${PAYOUT}`, "Query the status at the gateway now"]],
  "payout query-all": [
    [
      'payrun payout query-all --state in_doubt --reason "the gateway is back"',
      "Query the status of all payouts in doubt",
    ],
  ],
  "payout hold-back": [
    [
      `payrun payout hold-back ${PAYOUT} --reason "the supplier called"`,
      "Show what would be held back, and ask",
    ],
  ],
  "payout release": [
    [
      `payrun payout release --batch ${BATCH} --reason "confirmed" --yes`,
      "Send the payouts of a batch that are held back",
    ],
  ],
  "payout cancel": [
    [`payrun payout cancel ${PAYOUT} --reason "wrong account"`, "Cancel an unsent payout"],
  ],
  "payout assign": [
    [
      'payrun payout assign --state on_hold --currency INR --to "Asha Rao"',
      "Show which payouts would be assigned, and ask",
    ],
  ],
  "payout resolve-listed": [
    [
      'payrun payout resolve-listed --state on_hold --reason "statement of 26 November"',
      "Record the results that statements list",
    ],
  ],
  "payout proposals": [["payrun payout proposals", "List what waits for an approver"]],
  "payout confirm-proposal": [
    [`payrun payout confirm-proposal ${PROPOSAL}`, "Confirm it on a ledger without approvers"],
  ],
  "payout reject-proposal": [
    [
      `payrun payout reject-proposal ${PROPOSAL} --reason "statement of another account"`,
      "Reject a proposal",
    ],
  ],
  "payout resolve": [
    [
      `payrun payout resolve ${PAYOUT} --arrived --reason "statement of 3 May, ticket 4711"`,
      "Record that the money arrived; if payrun has users, an approver confirms it",
    ],
  ],
  "payout end-wait": [
    [
      `payrun payout end-wait ${PAYOUT} --reason "the gateway has no such request, ticket 4711"`,
      "Propose resending a payout in doubt before its wait ends",
    ],
  ],
};
