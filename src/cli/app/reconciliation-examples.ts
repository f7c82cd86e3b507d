import type { Examples } from "#cli/app/batch-examples.ts";

const OF_LANE = "2026-11-26 --lane MAIN/INR";
const ON_DAY = "--lane INR --day 2026-11-26";

/** Examples of the commands for statements, breaks, events and reports. */
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
  report: [["payrun report results --days 7", "Show the results of the last seven days"]],
  "report results": [
    [
      "payrun report results --from 2026-11-01 --to 2026-11-30 --csv > november.csv",
      "Save the results of a month",
    ],
  ],
  "report fees": [["payrun report fees --currency INR", "Show the fees of 30 days"]],
  "report times": [["payrun report times --days 90", "Show the times to settlement of 90 days"]],
  "report breaks": [["payrun report breaks --lane MAIN/INR", "Count the breaks of a lane"]],
  "breaks propose": [
    [`payrun breaks propose 12 --reason "Support ticket 481"`, "Propose a resolution"],
    [
      `payrun breaks propose --day 2026-11-26 --class fee --reason "new contract"`,
      "Preview the same resolution for all fee breaks of a day, and propose it",
    ],
  ],
  "breaks assign": [
    ["payrun breaks assign 12 13 14 --to Asha", "Assign three breaks"],
    ["payrun breaks assign --lane MAIN/INR --nobody --yes", "Remove the assignments in a lane"],
  ],
  "breaks confirm": [
    ["payrun breaks confirm --state proposed", "Preview all proposals, and confirm them"],
  ],
  "breaks reject": [["payrun breaks reject 12 13", "Reject two proposals"]],
  close: [[`payrun close day ${OF_LANE}`, "Close a business day"]],
  "close list": [["payrun close list 2026-11", "List the closed days of a month"]],
  "close show": [[`payrun close show ${OF_LANE}`, "Show the figures of a day"]],
  "close open": [
    [
      `payrun close open ${OF_LANE} --balance 250000.00 --reason "bank statement of 25 November"`,
      "Set the first day of a lane",
    ],
  ],
  "close day": [[`payrun close day ${OF_LANE}`, "Close a day"]],
  "close adjust": [
    [
      `payrun close adjust ${OF_LANE} --amount -5.00 --reason "monthly fee of the bank"`,
      "Propose an adjustment",
    ],
  ],
  "close reopen": [
    [`payrun close reopen ${OF_LANE} --reason "wrong statement"`, "Propose to reopen a day"],
  ],
};
