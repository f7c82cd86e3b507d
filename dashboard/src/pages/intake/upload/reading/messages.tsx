import { counted, inLanguage } from "../../../../base/language.ts";
import { columnName } from "../../../../components/payout/column-messages.ts";

const amountsText = (count: number) => counted(count, "amount", "amounts");

const eachOf = (columns: readonly string[]) =>
  `${columns.length > 1 ? "each of these: " : ""}${columns.map(columnName).join(", ")}`;

const en = {
  confirm: {
    title: (file: string) => `How payrun reads ${file}`,
    caption: "payrun stores the file after you confirm. Approvers see your choices.",
    confirmBoth: "Confirm format and columns",
    confirmAmounts: "Confirm the amount format",
    confirmColumns: "Confirm the columns",
    cancel: "Choose another file",
  },

  amounts: {
    looks: (name: string) => `Suggested amount format: ${name}`,
    unclear: "Choose how the amounts are written",
    fits: (fits: number, values: number) =>
      `${fits} of ${amountsText(values)} ${fits === 1 ? "fits" : "fit"} this format.`,
    only: (only: number) => `${counted(only, "amount fits", "amounts fit")} only this format.`,
    several: "How these amounts are read depends on the format.",
    wrongRows: (rows: number) =>
      `${counted(rows, "amount does", "amounts do")} not fit this format and will be reported as ${rows === 1 ? "a problem" : "problems"} for you to correct. The total does not include ${rows === 1 ? "it" : "them"}.`,
    choices: "Amount format",
    fit: (count: number) => `${count.toLocaleString()} ${count === 1 ? "fits" : "fit"}`,
    total: "Total",
    unreadable: "unreadable",
    names: {
      plain: "plain",
      "1,234.56": "commas for thousands",
      "1.234,56": "European",
      "1 234,56": "spaces for thousands",
      "1'234.56": "Swiss",
      "1,25,000.50": "Indian (lakh)",
    } as Readonly<Record<string, string>>,
  },

  columns: {
    title: "Columns",
    yours: "Your column",
    field: "Meaning",
    name: columnName,
    first: "First value",
    basis: "Match",
    sure: (columns: number) =>
      columns === 1
        ? "1 column has a name that payrun uses."
        : `${columns} columns have names that payrun uses.`,
    showSure: (columns: number) => (columns === 1 ? "Show this column" : "Show these columns"),
    ignored: "not imported",
    bases: {
      own_name: "Same name",
      remembered: "From your last file",
      synonym: "Suggested",
      several: "Choose one",
      unknown: "Unknown name",
      changed: "Your choice",
    },
    fieldOf: (name: string) => `Meaning of ${name}`,
    missing: (columns: readonly string[]) =>
      `Choose a column in the file for ${eachOf(columns)}. If there is no such column, add it to the file.`,
    currencyMissing: "Choose the currency of all rows, or the column that holds it.",
    currencyOfAll: "Currency of all rows",
    noCurrency: "The file has no column for the currency.",
    currencySuggested: (currency: string) =>
      `The file has no column for the currency. payrun suggests ${currency}.`,
    alsoRequired: (currency: string, column: string) =>
      `${currency} payouts also require: ${columnName(column)}.`,
    takeAs: (name: string, column: string) => `Use “${name}” as ${columnName(column)}`,
    enterLater: "Choose a column above, or enter the values after the upload.",
    twice: (columns: readonly string[]) =>
      `Choose only one column in the file for ${eachOf(columns)}.`,
    remember: "Suggest this mapping for my files with the same header",
  },
};

export const messages = inLanguage({ en });
