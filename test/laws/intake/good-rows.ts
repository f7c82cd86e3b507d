import { COLUMNS, type Column } from "#intake/header/columns.ts";

export type Cells = Readonly<Record<Column, string>>;

export const EMPTY = Object.fromEntries(COLUMNS.map((column) => [column, ""])) as Cells;
const COMMON = { user_id: "U-1", account_name: "Asha Verma", transaction_amount: "100.00" };

/** A good row of some currencies with different rules. */
export const GOOD: readonly Cells[] = [
  {
    bank_account_number: "50100012345678",
    ifsc_code: "HDFC0000001",
    bank_code: "HDFC",
    bank_name: "HDFC Bank",
    currency_code: "INR",
  },
  {
    bank_account_number: "1234567",
    bank_code: "0001",
    branch_code: "015",
    bank_name: "Mizuho",
    currency_code: "JPY",
    transaction_amount: "100",
  },
  {
    bank_account_number: "5123456789",
    bank_code: "MBB",
    bank_name: "Maybank Berhad",
    currency_code: "MYR",
  },
  {
    bank_account_number: "01812345678",
    bank_code: "2001",
    bank_name: "bKash",
    phone_number: "01812345678",
    currency_code: "BDT",
  },
  { address: "TYK2LXkv7YLPedVkXMfSU7x2kLpqRK6RNC", currency_code: "USDT" },
].map((cells) => ({ ...EMPTY, ...COMMON, ...cells }));
