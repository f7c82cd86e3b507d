import { counted, inLanguage } from "../../../../base/language.ts";

const rowsText = (rows: number) => counted(rows, "row", "rows");

const en = {
  title: { error: "Values to correct", warning: "Values with warnings" },
  warningsText:
    "These rows are valid and stay in the batch. Correct a value, or leave it as it is if it is right.",
  caption: "Every change is recorded and shown to the approver",
  line: "Line",
  value: "Beneficiary, column",
  inFile: "In the file",
  newValue: "New value",
  rule: "Rule",
  expected: (text: string) => `Expected: ${text}.`,
  warning: (rule: string) => `Warning: ${rule}`,
  letters:
    "The file does not say which encoding it uses, so payrun read this value as Windows-1252. payrun accepts that for BRL, PHP and cryptocurrencies, where it is usual, but not for this currency. If its letters are right, confirm them with the button above. Otherwise, correct them here.",
  newValueOf: (column: string, line: number) => `New value for ${column} on line ${line}`,
  empty: "empty",
  valid: "This value is valid.",
  otherProblems: (problems: number) =>
    `${counted(problems, "other problem", "other problems")} in this row`,
  more: (rows: number) => `Only the first ${rows} rows are listed. Save to see the next ones.`,
  pages: "Pages of values to correct",
  page: (page: number) => `Page ${page} of values to correct`,
  row: (row: number, rows: number) => `Row ${row} of ${rows}`,
  previousRow: "Previous row",
  nextRow: "Next row",
  previous: "Previous values to correct",
  next: "Next values to correct",
  edited: (edited: number, total: number) => `${edited} of ${rowsText(total)} edited`,
  save: (rows: number) => (rows === 0 ? "Save corrections" : `Save ${rowsText(rows)}`),
  leaveOut: "Leave this row out",
  leaveOutLine: (line: number) => `Leave this row out (line ${line})`,
  lineOf: (line: number) => `Line ${line}`,
  wholeRows: "Problems of whole rows",
  totalRow: (lines: readonly number[]) =>
    lines.length === 1
      ? `Line ${lines[0] ?? ""} looks like a total`
      : `Lines ${lines.join(", ")} look like totals`,
  totalRowText: (rows: number, isSum: boolean) =>
    isSum
      ? "Its amount equals the total of the valid rows. It is not a payout."
      : rows === 1
        ? "If it is not a payout, leave it out."
        : "If they are not payouts, leave them out.",
  leaveTotalOut: (lines: readonly number[]) =>
    lines.length === 1 ? `Leave out line ${lines[0] ?? ""}` : "Leave these lines out",
  fillTitle: (column: string, rows: number) => `${column} is empty in ${rowsText(rows)}.`,
  fillFrom: (column: string) => `Use the values of another column for ${column}`,
  fillChoice: "Choose a column",
  discard: "Discard edits",
  saved: (corrected: number, rows: number) =>
    corrected === rows
      ? `${rowsText(rows)} corrected.`
      : `${rowsText(rows)} saved. ${rowsText(rows - corrected)} still ${rows - corrected === 1 ? "has" : "have"} problems.`,
  use: (value: string) => `Use ${value}`,
  fixes: {
    capitals: (count: number) => `Use capital letters in ${counted(count, "value", "values")}…`,
    separators: (count: number) => `Remove separators from ${counted(count, "value", "values")}…`,
    trim: (count: number) => `Trim ${counted(count, "value", "values")}…`,
    amounts: (count: number) => `Reformat ${counted(count, "amount", "amounts")}…`,
    letters: (count: number) => `Confirm the letters of ${counted(count, "value", "values")}…`,
    lettersTitle: "Letters read as Windows-1252",
    lettersExplanation:
      "Compare all of these values with your own records, including those that are not listed here. The approver sees that you confirmed them.",
    confirmLetters: (count: number) =>
      `I have checked the letters of ${counted(count, "value", "values")}`,
    title: "Preview of the new values",
    explanation:
      "payrun corrects all rows with this problem, including those that are not listed, and records each change for the approver.",
    shown: (shown: number, values: number) =>
      `The preview shows the first ${shown} of ${values.toLocaleString()} values.`,
    column: "Column",
    before: "In the file",
    after: "New value",
    apply: (count: number) => `Correct ${counted(count, "value", "values")}`,
    cancel: "Cancel",
    close: "Close",
  },
};

export const messages = inLanguage({ en });
