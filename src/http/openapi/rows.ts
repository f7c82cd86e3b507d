/** Descriptions of the fields of rows in requests; the keys are as in repeated.ts. */
export const ROW_FIELDS = {
  "batches.rows": "Number of rows. In the request: the payouts, at most 10,000.",
  "bank_codes.bank_name": "Text for the column bank_name; null if the code does not determine it.",
  invalid_rows:
    "`refuse`: if a row is invalid, payrun refuses the request and stores no rows. `keep`: payrun stores the batch in the state `needs_correction`, and a person corrects the rows on the dashboard.",
  "batches.source":
    "`file`: an uploaded file. `rows`: the rows of one API request. `payouts`: single payouts of one day.",
  "batch.source":
    "`file`: an uploaded file. `rows`: the rows of one API request. `payouts`: single payouts of one day.",
} as const satisfies Readonly<Record<string, string>>;
