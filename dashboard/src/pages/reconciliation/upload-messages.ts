import { counted, inLanguage } from "../../base/language.ts";

const en = {
  title: "Upload a statement",
  parent: "Reconciliation",
  explained: "payrun compares the statement with the ledger. No payout changes.",
  statement: "Statement",
  lane: "Lane",
  chooseLane: "Choose a lane",
  day: "Business day",
  file: "File",
  chooseFile: "CSV, XLSX or camt.053",
  balances: "Optional: the balances of the account, to find movements without a payout.",
  opening: "Opening balance",
  closing: "Closing balance",
  deposits: "Deposits",
  control: "Optional: totals from the back office, to detect an incomplete file.",
  lines: "Number of lines",
  total: "Sum of all amounts",
  review: "Show the mapping of the columns before the comparison",
  compare: "Compare",
  sending: "Uploaded",

  mapping: "Mapping",
  mappingExplained:
    "Check which column has which value. payrun stores the mapping for all statements of this lane.",
  notRead: "Not read",
  required: ["code", "amount", "status"],
  fields: {
    code: "Transaction code",
    gateway_number: "Gateway number",
    amount: "Amount",
    currency: "Currency",
    fee: "Fee",
    status: "Result",
    time: "Time of the result",
  },
  amounts: "Amount format",
  amountStyles: ["plain", "1,234.56", "1.234,56", "1 234,56", "1'234.56", "1,25,000.50"],
  sign: "How payouts are signed",
  signs: {
    none: "No sign",
    negative: "Minus",
    positive: "No sign, but returns have a minus",
  },
  words: "Words for results",
  wordsHint: "Additional words of the result column, one per line, for example: Done=completed",
  zone: "Time zone of the business day",
  zoneHint: "For example, Asia/Kolkata",
  confirm: "Store mapping and compare",

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

  result: "Result",
  known: "This statement had been loaded before.",
  counts: (lines: number, matched: number, payouts: number) =>
    `${counted(lines, "line", "lines")}; ${matched.toLocaleString()} of ${counted(payouts, "payout", "payouts")} of the ledger are on the statement.`,
  proposed:
    "This file replaces a compared statement. It is compared after an approver has confirmed it.",
  countedHere: (count: number) =>
    `${counted(count, "payout", "payouts")} settled on the day before or after and counted on this day.`,
  others: (count: number) =>
    `${counted(count, "code", "codes")} of deposits and other currencies not compared.`,
  noBalances: "The balance was not compared.",
  reopened: (count: number) =>
    `${counted(count, "resolved break", "resolved breaks")} opened again, because values have changed.`,
  closed: (count: number) => `${counted(count, "earlier break", "earlier breaks")} closed.`,
  noBreaks: "No breaks.",
  breaks: (count: number, name: string) => `${name}: ${count.toLocaleString()}`,
};

export const messages = inLanguage({ en });
