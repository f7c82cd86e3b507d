/** Descriptions of the fields of rows in requests; the keys are as in repeated.ts. */
export const ROW_FIELDS = {
  "batches.rows": "Number of rows. In the request: the payouts, at most 10,000.",
  "bank_codes.bank_name": "Text for the column bank_name; null if the code does not determine it.",
  invalid_rows:
    "`refuse`: if a row is invalid, payrun refuses the request and stores no rows. `keep`: payrun stores the batch in the state `needs_correction`, and a person corrects the rows on the dashboard.",
  total_rows: "Last rejected rows that look like the row with the total below the payouts.",
  equals_total:
    "Whether its amount equals the total of the valid rows; null if it has no amount, or the valid rows have several currencies.",
  "batches/left-out-rows.columns": "Columns in the file.",
  "batches/left-out-rows.count": "Number of rows that were left out of the batch.",
  "batches/left-out-rows.by": "The person or API key that left the row out.",
  "batches/left-out-rows.by.name": "Name of the person or API key.",
  "batches/left-out-rows.at": "Time at which the row was left out.",
  warnings:
    "Warnings about the values, such as an unknown bank code. They do not prevent the payout. Empty if there are none, or if the row of a repeated request was edited or deleted since.",
  "warnings.code": "Problem code.",
  "batches/left-out-rows.problems": "Problems and warnings in the row.",
  "batches/left-out-rows.next": "The `after` value for the next page; null on the last page.",
  "batches/left-out-rows.after": "Return only rows after this line.",
  lines: "Line numbers in the file; the header is line 1.",
  "batches.source":
    "`file`: an uploaded file. `rows`: the rows of one API request. `payouts`: single payouts of one day.",
  "batch.source":
    "`file`: an uploaded file. `rows`: the rows of one API request. `payouts`: single payouts of one day.",
} as const satisfies Readonly<Record<string, string>>;
