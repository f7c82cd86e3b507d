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

/** The kinds of PIX keys, which BRL has instead of bank codes. */
const pixKeys: Readonly<Record<string, string>> = {
  CPF: "PIX key, CPF",
  CNPJ: "PIX key, CNPJ",
  EMAIL: "PIX key, e-mail",
  PHONE: "PIX key, phone",
  RANDOMKEY: "PIX key, random",
  EVP: "PIX key, random",
};
const pixKeyNames = inLanguage({ en: pixKeys });

/** Returns the kind of a PIX key for people. Undefined: the bank code is that of a bank. */
export const pixKeyName = (currency: string, bankCode: string): string | undefined =>
  currency === "BRL" ? pixKeyNames[bankCode.toUpperCase()] : undefined;

/** Returns the name of a column for people; of an unknown column, the name in the file. */
export const columnName = (column: string): string =>
  names[column] ?? common.fields[column] ?? column;

/** A sentence of the server with the names of payrun's columns for people: "Bank code is empty." */
export const withColumnNames = (sentence: string): string =>
  sentence.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, columnName);
