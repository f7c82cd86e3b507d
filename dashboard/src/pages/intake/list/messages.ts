import { inLanguage } from "../../../base/language.ts";

const en = {
  title: "Batches",
  upload: "Upload file",
  caption: "Batches, newest first",
  emptyFiltered: "No batches match these filters.",
  empty: "No files have been uploaded yet.",
  showAll: "Show all batches",

  filters: {
    form: "Batches",
    text: "Name, purpose or batch ID",
    state: "State",
    any: "any",
    uploadedBy: "Uploaded by",
    from: "Uploaded on or after",
    to: "Uploaded on or before",
    find: "Find",
  },

  columns: {
    batch: "Batch",
    state: "State",
    rows: "Rows",
    rejected: (rows: number) => `${rows.toLocaleString()} with problems`,
    total: "Total",
    payouts: "Payouts",
    payoutsOf: (file: string) => `Payouts in ${file}`,
    uploadedBy: "Uploaded by",
    uploadedAt: "Uploaded",
  },
};

export const messages = inLanguage({ en });
