import type { ReactNode } from "react";
import { counted, inLanguage } from "../../../base/language.ts";
import { inPercent } from "../../../base/text.ts";

/** Makes a link of the text. */
type LinkOf = (text: string) => ReactNode;

const rowsText = (rows: number) => counted(rows, "row", "rows");
const columnsText = (columns: number) => counted(columns, "column", "columns");

const savedText = (corrected: number, rows: number): string =>
  corrected === rows
    ? `${rowsText(rows)} corrected`
    : `${rowsText(rows)} saved (${(rows - corrected).toLocaleString()} with problems left)`;

const en = {
  page: {
    title: "Upload a file",
    facts: "A second person must approve the batch before any payouts are sent.",
    /** Ends the sentence of `ForUploaders`. */
    does: "upload files",
    look: "View batches",
    frozen: "Before you upload a file, make sure that it does not repeat any payouts already sent.",
    file: "File",
    choose: "Choose a file",
    hint: "or drop a CSV or Excel (.xlsx) file here",
    known: "This file has already been uploaded",
    knownText: (link: ReactNode, uploader: string, kept: string) => (
      <>
        {uploader} uploaded the same file as batch {link}, so payrun did not create a new one.{" "}
        {kept}
      </>
    ),
    details: "Details",
    optional: "Optional; you can add them later",
    templates: "Templates",
  },

  templates: {
    currency: "Currency",
    excel: "Excel template",
    csv: "CSV template",
    columnsOf: (currency: string) => `Columns for ${currency}`,
    column: "Column",
    need: "Required",
    needs: { required: "required", wanted: "recommended", optional: "optional" },
    contains: "Content",
  },

  dropZone: {
    limits: (size: string, rows: number) => `At most ${size} and ${rows.toLocaleString()} rows`,
    uploading: (percent: number) => `Uploading: ${inPercent(String(percent))}`,
    checking: "Validating every row…",
    progress: "Upload progress",
  },

  paste: {
    label: "Or paste rows from a spreadsheet",
    hint: "With the column names, here or anywhere on this page (Ctrl+V)",
    noHeader: (rows: number, columns: number) =>
      `You pasted ${rowsText(rows)} and ${columnsText(columns)}. payrun did not find any column names`,
    noHeaderText: (names: readonly string[]) =>
      `Copy the rows again together with the column names, such as ${names.join(", ")}.`,
    read: (rows: number, columns: number) =>
      `You pasted ${rowsText(rows)} and ${columnsText(columns)}. payrun found the column names`,
    readText: "The rows have not been uploaded yet. payrun will not change any cells.",
    firstRows: "Preview of the pasted rows",
    upload: (rows: number) => `Upload and validate ${rowsText(rows)}`,
    discard: "Discard pasted rows",
    column: (place: number) => `column ${place}`,
    fileName: (date: string, time: string) => `pasted ${date} ${time} UTC.csv`,
  },

  refused: {
    title: (file: string) => `${file} was rejected: no batch was created`,
    correctionTitle: "The file was rejected: no rows were changed",
    line: (line: number) => `Line ${line}: `,
    more: (problems: number) => counted(problems, "more problem", "more problems"),
  },

  headroom: {
    title: "Remaining payout limits and balances",
    limits: "Payout limits",
    explanation: (zone: string) =>
      `A batch over a hard limit cannot be approved. A batch over a soft limit needs one more approver. Each day begins at midnight in ${zone}.`,
    limit: "Limit",
    limitOf: (limit: string, isHard: boolean) => `${limit} (${isHard ? "hard" : "soft"})`,
    allowed: "Allowed",
    left: "Remaining",
    balances: "Balances",
    lane: "Lane",
    free: "Available",
    reserved: "Reserved",
    settledSince: "Settled recently",
    asOf: (time: string) => `balances reported: ${time} or later`,
    notKnown: "Not known",
    showAll: (lanes: number) => `Show all ${lanes} lanes`,
  },

  earlier: {
    title: "Start from an earlier batch",
    explanation:
      "Download the valid rows of one of your batches, edit the file and upload it here. It contains full account numbers, and the download is recorded in the audit log.",
    batch: "Batch",
    excel: "Rows (Excel)",
    csv: "Rows (CSV)",
    rows: rowsText,
  },

  filePage: {
    loading: "File",
    crumb: "Batches",
    toRequest: "Send for approval",
    sentBack: "An approver sent this batch back",
    noProblems: "No rows in this batch have problems. ",
    sentBackText: (link: LinkOf) => (
      <>
        If anything needs to change, upload a corrected file as a {link("new batch")} and ask an
        operator to cancel this one. If the batch is correct, send it for approval again.
      </>
    ),
    result: "Result",
    batch: (batch: string) => `Batch ${batch}`,
    state: "State",
    rows: "Rows",
    valid: "Valid",
    invalid: "With problems",
    warnings: "Warnings",
    total: "Total for valid rows",
    howRead: "How the file was read",
    format: "Format",
    workbook: "Excel workbook (XLSX)",
    encoding: "Encoding",
    delimiter: "Delimiter",
    delimiters: { ",": "comma", ";": "semicolon", "\t": "tab" } as Readonly<Record<string, string>>,
    amounts: "Amounts",
    amountFormat: (format: string, isConfirmed: boolean) =>
      `${format === "plain" ? "1234.56" : format}${isConfirmed ? ", confirmed" : ""}`,
    columnsRead: "Columns read",
    columnsIgnored: "Columns ignored",
    none: "none",
    noName: "(no name)",
    readAs: (name: string, column: string) => `“${name}” is read as ${column}`,
  },

  firstRows: {
    title: "First rows as read by payrun",
    hint: "Compare the beneficiaries, accounts and amounts with your file.",
    caption: "First valid rows",
    bank: "Bank",
    reference: "Reference",
  },

  findings: {
    showMore: (kinds: number) => `Show ${kinds} more`,
    byKind: (findings: number) => `All findings by kind (${findings.toLocaleString()})`,
    none: "No problems found",
    problems: "Problems",
    warnings: "Warnings",
    grouped: (findings: number, groups: number) =>
      `${findings.toLocaleString()} in ${counted(groups, "group", "groups")}`,
    finding: (rows: number, message: string) => `${rowsText(rows)}: ${message}`,
    showAll: "Show all rows",
    showRows: "Show rows",
    lines: (lines: readonly number[]) =>
      `${lines.length === 1 ? "Line" : "Lines"} ${lines.join(", ")}`,
    linesAndMore: (lines: string, more: number) => `${lines} and ${more.toLocaleString()} more`,
    found: (text: string) => `, found “${text}”`,
    expected: (text: string) => `; expected ${text}`,
  },

  rows: {
    ofFinding: "Rows with this finding",
    all: "Rows with findings",
    hint: "As in the file. Keys: n for the next row, p for the previous one.",
    table: "Rows",
    line: "Line",
  },

  rejectedRows: { xlsx: "Rows with problems (Excel)", csv: "Rows with problems (CSV)" },

  corrections: {
    title: "Correct the rows in a file",
    caption: "For many rows",
    explanation:
      "Download the rows with problems, correct them and upload the file here. Keep the “line” column, which identifies each row.",
    choose: "Choose the corrected file",
    hint: "or drop the corrected file here",
    correction: (
      file: ReactNode,
      corrected: number,
      rows: number,
      name: ReactNode,
      time: ReactNode,
    ) => (
      <>
        {file}: {savedText(corrected, rows)} by {name}, {time}
      </>
    ),
    known: "This file has already been uploaded. No changes were made.",
    corrected: (corrected: number, rows: number, left: number) =>
      `${corrected.toLocaleString()} of ${rowsText(rows)} corrected. ${
        left === 0
          ? "All rows are now valid."
          : `${rowsText(left)} still ${left === 1 ? "has" : "have"} problems.`
      }`,
  },

  approval: {
    title: "Send for approval",
    titleAgain: "Send for approval again",
    obstacles: "This batch cannot be sent for approval yet",
    exclude: (rows: number) => `Continue without the ${rowsText(rows)} with problems`,
    numbers: (columns: string) => `${columns}: I have checked the values against my own records`,
    numbersHint:
      "A spreadsheet stored these values as numbers, so leading zeros may have been lost.",
    columnIn: (column: string, rows: number) => `${column} in ${rowsText(rows)}`,
    send: (rows: number) => `Send ${rowsText(rows)} for approval`,
    total: (amounts: string) => `${amounts}. `,
    consequence: "payrun will not send any payouts until another person approves the batch.",
  },
};

export const messages = inLanguage({ en });
