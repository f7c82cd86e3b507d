import { counted, inLanguage } from "../../../base/language.ts";

const en = {
  title: "Upload a statement",
  parent: "Reconciliation",
  explained:
    "payrun compares each line with the ledger, its own records, and lists the differences. No payout changes.",
  statement: "Statement",
  lane: "Lane",
  laneHint: "The merchant account and currency",
  chooseLane: "Choose a lane",
  day: "Business day",
  dayHint: "The day of the lines in the file",
  file: "File",
  fileHint: "With a transaction code, an amount and a result in each line",
  options: "Balances, control totals and columns (optional)",
  chooseFile: "CSV, XLSX or camt.053",
  balances: "Balances of the account, to find movements without a payout:",
  opening: "Opening balance",
  closing: "Closing balance",
  deposits: "Deposits",
  noDeposits: "0 if empty",
  control: "Totals from the gateway's back office, to detect an incomplete file:",
  lines: "Number of lines",
  total: "Sum of the amounts in the currency of the lane",
  isReview: "Show the mapping of the columns before the comparison",
  compare: "Compare",
  change: "Change",
  sending: "Uploaded",

  mapping: "Mapping",
  mappingExplained: "Stored for all statements of this lane",
  columnCaption: "Columns of the file",
  yourColumn: "Your column",
  meaning: "Meaning",
  meaningOf: (name: string) => `Meaning of ${name}`,
  firstValues: "First values",
  notRead: "Not read",
  either: (fields: readonly string[]) => fields.join(" or "),
  missing: (fields: readonly string[]) => `Choose a column for: ${fields.join(", ")}.`,
  reading: "Reading the file with this mapping …",
  reads: (count: number, total: string, currency: string) =>
    `${counted(count, "line", "lines")}, sum ${total} (only lines in ${currency}).`,
  someOutside: (count: number) =>
    `${counted(count, "line has a time", "lines have times")} outside the day.`,
  cannotRead: "Rows cannot be read with this mapping",
  problemAt: (line: number | null, column: string | null, message: string, found: string | null) =>
    [
      [line === null ? "" : `Line ${line}`, column ?? ""].filter(Boolean).join(", "),
      found === null || found === "" ? message : `${message} Found: ${found}`,
    ]
      .filter(Boolean)
      .join(": "),
  fields: {
    code: "Transaction code (PR…)",
    gateway_number: "Gateway number",
    amount: "Amount",
    currency: "Currency",
    fee: "Fee",
    status: "Result",
    time: "Time of the result",
  },
  amounts: "Amount format",
  amountStyles: [
    { value: "plain", label: "1234.56 (no separators)" },
    ...["1,234.56", "1.234,56", "1 234,56", "1'234.56", "1,25,000.50"].map((style) => ({
      value: style,
      label: style,
    })),
  ],
  sign: "How payouts are signed",
  signs: {
    none: "No sign",
    negative: "Minus",
    positive: "No sign, but returns have a minus",
  },
  words: "Words for results",
  wordsHint: "Additional words of the result column, one per line, for example: Done=completed",
  zone: "Time zone of the business day",
  confirm: "Store mapping and compare",

  outsideTitle: "Lines outside the day",
  outside: (count: number, day: string) =>
    `${counted(count, "line has a time", "lines have times")} outside ${day}. Check the file before you compare it. The statement was not loaded.`,
  confirmOutside: "Compare with these lines",

  unreadable: "Unreadable rows",
  notLoaded: "The statement was not loaded.",
  problem: {
    line: "Line",
    file: "File",
    column: "Column",
    found: "Found",
    expected: "Expected",
    message: "Problem",
  },

  result: "Result of the comparison",
  known: "This statement had been loaded before.",
  fileLines: "Lines in the file",
  onStatement: "Payouts found on the statement",
  ofPayouts: (matched: number, payouts: number) =>
    `${matched.toLocaleString()} of ${payouts.toLocaleString()}`,
  found: "Breaks found",
  halfMissing: (missing: number, payouts: number) =>
    `${missing.toLocaleString()} of ${counted(payouts, "payout is", "payouts are")} not on the statement`,
  maybeIncomplete:
    "The file may be incomplete, or about another period. Check it, and upload the right one, before you explain the breaks.",
  another: "Upload another statement",
  review: (count: number) => `Review ${counted(count, "break", "breaks")}`,
  toDay: "Continue with the daily close",
  breakCaption: "Breaks by kind",
  kind: "Break",
  number: "Number",
  difference: "Statement less ledger",
  moreBreaks: (count: number) => `Differences of the first ${count} breaks only`,
  proposed:
    "This file replaces a compared statement. Until another approver confirms it, the earlier statement counts.",
  toReplacements: "Statements that wait for an approver",
  countedHere: (count: number) =>
    `${counted(count, "payout", "payouts")} settled on the day before or after and counted on this day.`,
  others: (count: number) =>
    `${counted(count, "code", "codes")} of deposits and other currencies not compared.`,
  noBalances: "The balance was not compared, because the statement has no balances.",
  reopened: (count: number) =>
    `${counted(count, "resolved break", "resolved breaks")} opened again, because values have changed.`,
  closed: (count: number) => `${counted(count, "earlier break", "earlier breaks")} closed.`,
  noBreaks: "No breaks.",
};

export const messages = inLanguage({ en });
