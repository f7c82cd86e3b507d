import { inLanguage } from "../../base/language.ts";
import { messages as common } from "../../base/messages.ts";

/** The names of payrun's columns, where they differ from the fields of a payout. */
const en: Readonly<Record<string, string>> = {
  bank_name: "Bank name",
  transaction_amount: "Amount",
  currency_code: "Currency",
  user_id: "User ID",
  transaction_code: "Transaction code",
  payout_code: "Payout code",
  callback_url: "Callback URL",
  reference: "Reference",
};

const names = inLanguage({ en });

/** Returns the name of a column for people; of an unknown column, the name in the file. */
export const columnName = (column: string): string =>
  names[column] ?? common.fields[column] ?? column;
