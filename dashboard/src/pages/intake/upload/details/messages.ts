import { counted, inLanguage } from "../../../../base/language.ts";

const rowsText = (rows: number) => counted(rows, "row", "rows");

const en = {
  description: { name: "Name", purpose: "Purpose" },

  detailsStep: {
    optional: "All details are optional",
    canary: "Send a few first (canary)",
    canaryHint:
      "Number of payouts per merchant and currency that payrun sends first. It sends the rest once they have settled.",
    priority: "Priority",
    priorityHint: "Determines which batch payrun sends first when several are waiting.",
    inFile: (valid: number, rows: number) =>
      valid === rows
        ? `Totals of the ${rowsText(rows)}`
        : `Totals of the ${rowsText(valid)} without problems; the file has ${rowsText(rows)}`,
  },

  expected: {
    rows: "Expected rows",
    totals: "Expected totals",
    totalsHint:
      "From your own records, such as INR 1234.50. Separate multiple totals with semicolons. payrun compares them with the file.",
    wholeNumber: "Enter a whole number, such as 1200.",
    currencyAndAmount: "Enter a currency and an amount, such as INR 1234.50.",
  },
};

/** The texts of the details of a batch. */
export const messages = inLanguage({ en });
