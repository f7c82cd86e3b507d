import { counted, inLanguage } from "../../../base/language.ts";

const en = {
  caption: "Batches found",
  found: (count: number) => counted(count, "batch", "batches"),
  emptyFiltered: "No batches match these filters.",
  empty: "No files have been uploaded yet.",
  showAll: "Show all batches",

  filters: {
    form: "Batches",
    text: "Name, purpose, file or batch ID",
    state: "State",
    anyState: "Any state",
    task: "Your tasks",
    anyTask: "All batches",
    tasks: {
      duplicates: "Give a reason for exact duplicates",
      retry: "Retry declined payouts",
    },
    uploadedBy: "Uploaded by",
    uploadedByHint: "part of a name",
    uploaded: "Uploaded",
  },

  columns: {
    batch: "Batch",
    state: "State",
    rows: "Rows",
    rejected: (rows: number) => counted(rows, "row has a problem", "rows have problems"),
    total: "Total",
    payouts: "Progress",
    payoutsOf: (file: string) => `Payouts in ${file}`,
    notSent: "Not sent for approval",
    uploadedBy: "Uploaded by",
    uploadedAt: "Uploaded",
    file: "Source",
    purpose: "Purpose",
    approvedAt: "Approved",
    finishedAt: "Finished",
    action: "Next step",
  },

  actions: {
    correct: "Correct",
    send: "Open draft",
    review: "Review",
  },
};

export const messages = inLanguage({ en });
