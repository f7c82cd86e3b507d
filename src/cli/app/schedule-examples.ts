import { BATCH, type Examples } from "#cli/app/batch-examples.ts";

// Invented, in the form of a real one.
const SCHEDULE = "SC6K2TZ4P9NE5W";

export const SCHEDULE_EXAMPLES: Examples = {
  "schedule next": [
    [
      "payrun schedule next --every last-working-day --time 09:00 --zone Asia/Kolkata --holidays INR",
      "Preview the last working day of each month",
    ],
    [
      "payrun schedule next --every week --on mon,fri --time 09:00 --zone Asia/Kolkata",
      "Preview a schedule that runs every Monday and Friday",
    ],
  ],
  "schedule create": [
    [
      `payrun schedule create --name salaries --list ${BATCH} --every month --on 25 --time 09:00 --zone Asia/Kolkata`,
      "Create a batch from the same list on the 25th of each month",
    ],
    [
      "payrun schedule create --name bonuses --folder bonuses --every day --time 09:00 --zone Asia/Kolkata",
      "Create a batch from the file that arrives in a folder each day",
    ],
  ],
  "schedule edit": [[`payrun schedule edit ${SCHEDULE} --time 10:00`, "Change the time of day"]],
  "schedule list": [["payrun schedule list", "List the schedules with their next occurrences"]],
  "schedule show": [[`payrun schedule show ${SCHEDULE}`, "Show past and upcoming occurrences"]],
  "schedule pause": [
    [`payrun schedule pause ${SCHEDULE} --reason "new accounts"`, "Stop creating batches for now"],
  ],
  "schedule resume": [
    [
      `payrun schedule resume ${SCHEDULE} --reason "bank details updated"`,
      "Resume creating batches",
    ],
  ],
  "schedule remove": [
    [`payrun schedule remove ${SCHEDULE} --reason "not needed"`, "Remove a schedule permanently"],
  ],
  "schedule create-batch": [
    [
      `payrun schedule create-batch ${SCHEDULE} 2026-11-30 --reason "still due"`,
      "Create the batch that was missed on 30 November",
    ],
  ],
  "schedule skip": [
    [
      `payrun schedule skip ${SCHEDULE} 2026-11-30 --reason "paid manually"`,
      "Skip the batch due on 30 November",
    ],
  ],
  "schedule decide": [
    [`payrun schedule decide ${SCHEDULE}`, "List the days that need a decision"],
    [
      `payrun schedule decide ${SCHEDULE} --create --reason "support confirmed: none was paid"`,
      "Create the batches of all these days, each when it is due",
    ],
  ],
};
