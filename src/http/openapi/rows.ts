/** Descriptions of the fields of rows in requests; the keys are as in repeated.ts. */
export const ROW_FIELDS = {
  "batches.rows": "Number of rows. In the request: the payouts, at most 10,000.",
  invalid_rows:
    "`refuse`: one invalid row refuses the request, and no row is stored. `keep`: the batch is stored in the state `needs_correction`, and a person corrects it on the dashboard.",
  "batches.source":
    "`file`: an uploaded file. `rows`: the rows of one API request. `payouts`: single payouts of one day.",
  "batch.source":
    "`file`: an uploaded file. `rows`: the rows of one API request. `payouts`: single payouts of one day.",
} as const satisfies Readonly<Record<string, string>>;
