/** A command line and a comment that says what it does. */
type Example = readonly [line: string, does: string];

/** Examples of each command, by its path, such as "batch list". */
export type Examples = Readonly<Record<string, readonly Example[]>>;

// Invented, in the form of real ones.
export const BATCH = "B7QK2M4N8PX";
const EARLIER = "B3HT9WZ5C0J";
const SERVER = "--server https://payrun.example.com --api-key-file key.txt";

export const BATCH_EXAMPLES: Examples = {
  check: [
    [
      "payrun check november.csv --rejects rejects.csv",
      "Validate a file and save its rejected rows",
    ],
    [
      'payrun check salaries.csv --amounts "1.234,56"',
      "Validate a file whose amounts use a decimal comma",
    ],
  ],
  pay: [
    ["payrun pay november.csv --total INR=125000.00", "Pay a file only if it has this total"],
    [
      "payrun pay november.csv --partial --canary 2",
      "Skip invalid rows, and send a canary of two payouts per lane first",
    ],
  ],
  batch: [
    [
      "payrun batch create november.csv --request-approval",
      "Upload a file and send it for approval",
    ],
    [`payrun batch watch ${BATCH}`, "Track the batch until it finishes"],
  ],
  "batch list": [
    ["payrun batch list", "List the newest batches in the local ledger"],
    [`payrun batch list ${SERVER}`, "List the newest batches on a server"],
  ],
  "batch create": [
    [
      "payrun batch create november.csv --request-approval",
      "Upload a file and send it for approval",
    ],
    [
      'payrun batch create november.csv --name "Payroll" --total INR=125000.00',
      "Name the batch and state its expected total",
    ],
  ],
  "batch rejects": [
    [`payrun batch rejects ${BATCH} > rejects.csv`, "Save the rejected rows for correction"],
  ],
  "batch correct": [[`payrun batch correct ${BATCH} rejects.csv`, "Upload the corrected rows"]],
  "batch leave-out": [[`payrun batch leave-out ${BATCH} 12`, "Leave the total on line 12 out"]],
  "batch put-back": [[`payrun batch put-back ${BATCH} 12`, "Put line 12 back"]],
  "batch request-approval": [
    [`payrun batch request-approval ${BATCH}`, "Send a batch for approval"],
    [
      `payrun batch request-approval ${BATCH} --leave-out`,
      "Send a batch for approval without its rejected rows",
    ],
  ],
  "batch retry-declined": [
    [
      `payrun batch retry-declined ${BATCH} --preview`,
      "Show which payouts a retry batch would contain",
    ],
    [`payrun batch retry-declined ${BATCH}`, "Create the retry batch"],
  ],
  "batch compare": [
    [`payrun batch compare ${BATCH}`, "Compare a batch with the most similar earlier batch"],
    [`payrun batch compare ${BATCH} --with ${EARLIER}`, "Compare two batches"],
  ],
  "batch show": [[`payrun batch show ${BATCH}`, "Show a batch and the state of its payouts"]],
  "batch watch": [
    [`payrun batch watch ${BATCH} --json`, "Wait for the result of a batch and print it as JSON"],
  ],
  "batch approve": [
    [
      `payrun batch approve ${BATCH} --total INR=125000.00`,
      "Approve a batch for immediate sending",
    ],
    [
      `payrun batch approve ${BATCH} --at "2026-12-31 09:00 Asia/Kolkata"`,
      "Approve a batch to be sent later (prompts for the totals)",
    ],
  ],
  "batch reschedule": [
    [
      `payrun batch reschedule ${BATCH} --at "2026-12-31 09:00 Asia/Kolkata"`,
      "Send a scheduled batch at a later time",
    ],
  ],
  "batch send-now": [
    [
      `payrun batch send-now ${BATCH} --reason "due today"`,
      "Send a scheduled batch before its send time",
    ],
  ],
  "batch allow-duplicates": [
    [
      `payrun batch allow-duplicates ${BATCH} --reason "second half of the salary"`,
      "Confirm that the exact duplicates are intentional",
    ],
  ],
  "batch release-quarantine": [
    [
      `payrun batch release-quarantine ${BATCH} --reason "no payout in the gateway's records"`,
      "Release a quarantined batch after confirming that it was not paid",
    ],
  ],
  "batch pause": [
    [
      `payrun batch pause ${BATCH} --reason "wrong month"`,
      "Stop sending a batch's remaining payouts",
    ],
  ],
  "batch resume": [[`payrun batch resume ${BATCH}`, "Resume a paused batch"]],
  "batch release": [
    [
      `payrun batch release ${BATCH} --reason "the gateway confirmed the delay"`,
      "Send the rest of the batch before its canary has settled",
    ],
  ],
  "batch withdraw": [
    [
      `payrun batch withdraw ${BATCH} --reason "two rows are missing"`,
      "Take your batch back before it is approved, to correct it",
    ],
  ],
  "batch priority": [
    [`payrun batch priority ${BATCH} urgent`, "Send a batch before batches of lower priority"],
    [`payrun batch priority ${BATCH} low`, "Send a batch after batches of higher priority"],
  ],
  "batch urgent": [
    [
      `payrun batch urgent ${BATCH}`,
      "Give the batch urgent priority, so that it is sent before other batches",
    ],
  ],
  "batch normal": [[`payrun batch normal ${BATCH}`, "Return a batch to normal priority"]],
  "batch low": [
    [
      `payrun batch low ${BATCH}`,
      "Give the batch low priority, so that other batches are sent first",
    ],
  ],
  "batch cancel": [
    [
      `payrun batch cancel ${BATCH} --reason "wrong month"`,
      "Cancel every payout that has not been sent",
    ],
  ],
  "batch report": [
    [`payrun batch report ${BATCH} > report.csv`, "Save each row with its result"],
    [`payrun batch report ${BATCH} --json`, "Print one JSON line per row"],
  ],
};
