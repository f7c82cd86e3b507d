/**
 * Descriptions of the fields of the list of batches; the keys are as in src/http/openapi/fields.ts.
 */

/** The filters of the list, its sums and its file. */
const FILTERS = {
  state:
    "One or more states. `scheduled`, `held_back` and `released` are the approved batches with this send status.",
  from: "Return only batches uploaded on or after this day (UTC), or at or after this time.",
  to: "Return only batches uploaded on or before this day (UTC), or before this time.",
  task: "`duplicates` for your batches whose exact duplicates need a reason, or `retry` for those with declined payouts that you can retry. Exactly the batches that `GET /api/home/tasks` counts.",
  send: "`scheduled` for approved batches waiting for their send time, `held_back` for approved batches awaiting a decision, or `released` for approved batches that may be sent.",
};

const filtersOf = (path: string) =>
  Object.fromEntries(
    Object.entries(FILTERS).map(([name, text]) => [`query.${path}.${name}`, text]),
  );

/** Descriptions of the fields of the list of batches. */
export const BATCH_LIST_FIELDS: Readonly<Record<string, string>> = {
  ...filtersOf("batches"),
  ...filtersOf("batch-summary"),
  ...filtersOf("batch-export"),
  "query.batches.sort":
    "Sort order by upload time, number of rows, or total. If rows or totals change between two pages, a batch can be missing or listed twice.",
  "query.batch-export.sort": "Sort order by upload time.",
  "batch-summary.count": "Number of results.",
  "batch-summary.totals":
    "Total amounts of the valid rows in the results, one per currency, without the batches of `not_summed`.",
  "batch-summary.not_summed":
    "Numbers of batches left out of `totals`, unless the results contain no others: drafts, cancelled batches, and retry batches, whose amounts are already in the batches that they retry.",
  "not_summed.drafts": "Batches that were not sent for approval.",
  "not_summed.cancelled": "Cancelled batches.",
  "not_summed.retries": "Retry batches.",
  "batch-summary.states": "Batches by state; the `state` and `send` filters are ignored.",
  "batch-summary.states.state":
    "State of the batches. `approved` excludes the batches that are scheduled or held back.",
  "states.batches": "Number of batches in this state.",
  "batch-export.format": "File format. A workbook has at most 50,000 rows.",
  list_batch:
    "Batch whose rows are paid, and what each occurrence pays; null if the schedule pays incoming files.",
  "list_batch.name": "Name of the batch, or its file name if it has no name.",
  "list_batch.payouts": "Number of payouts in each occurrence.",
  "list_batch.totals": "Total per currency of each occurrence.",
  first_batch: "The first batch that the rule creates from the list; null without a list.",
  "first_batch.name": "Name of the list.",
  "first_batch.payouts": "Number of its payouts.",
  "first_batch.totals": "Its totals, one per currency.",
  "first_batch.says": "Its send time as text.",
  "first_batch.created_says":
    "Time of its creation as text; null if it is created as soon as the schedule is saved.",
};
