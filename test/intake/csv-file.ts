/** A file of payouts in MYR, as rows of cells. */
export const HEADER = [
  "user_id",
  "currency_code",
  "transaction_amount",
  "account_name",
  "bank_account_number",
  "bank_code",
  "bank_name",
];
export const ROW = ["MY-1", "MYR", "10.50", "Nurul Huda", "5123456789", "MBB", "Maybank Berhad"];

/** A CSV cell, quoted where necessary. */
const quoted = (cell: string, delimiter: string) =>
  /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;

export const csv = (rows: readonly (readonly string[])[], delimiter = ",", lineEnd = "\n") =>
  rows.map((row) => row.map((cell) => quoted(cell, delimiter)).join(delimiter) + lineEnd).join("");
