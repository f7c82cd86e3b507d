import type { Examples } from "#cli/app/batch-examples.ts";

const ON_DAY = "--lane INR --day 2026-11-26";

/** Examples of the commands for statements, breaks and events. */
export const RECONCILIATION_EXAMPLES: Examples = {
  reconcile: [
    [
      `payrun reconcile statement.csv ${ON_DAY}`,
      "Compare a statement, or show the mapping of its columns",
    ],
    [`payrun reconcile statement.csv ${ON_DAY} --confirm-mapping`, "Store the mapping"],
  ],
  breaks: [["payrun breaks list --class amount", "List the amounts that differ"]],
  "breaks list": [["payrun breaks list --day 2026-11-26", "List the unresolved breaks of a day"]],
  "breaks show": [["payrun breaks show 12", "Show a break with its history"]],
  "breaks comment": [[`payrun breaks comment 12 "Asked support"`, "Add a comment to a break"]],
  events: [
    ["payrun events --json", "Print all events since the ledger was created"],
    ["payrun events --follow --type payout_returned", "Print each return as it is recorded"],
  ],
  "breaks propose": [
    [`payrun breaks propose 12 --reason "Support ticket 481"`, "Propose a resolution"],
  ],
};
