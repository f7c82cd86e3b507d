import { COLUMNS, type Column } from "#intake/header/columns.ts";
import { type Currency, isCurrency } from "#money/currency.ts";
import { DETAIL_FIELDS } from "#payout/payout.ts";

/**
 * Names that other programs give to a column. They are suggestions that the uploader confirms. Each
 * name belongs to one column.
 */
// biome-ignore format: one column per line
export const COLUMN_SYNONYMS: Readonly<Record<Column, readonly string[]>> = {
  user_id: ["user", "user no", "user number", "uid", "customer id", "customer no", "customer number", "customer code", "client id", "client no", "client code", "member id", "member no", "player id", "beneficiary id", "beneficiary code", "recipient id", "vendor id", "vendor no", "vendor code", "supplier id", "supplier code", "employee id", "employee no", "employee number", "employee code", "emp id", "emp no", "emp code", "staff id", "staff no", "staff number", "staff code", "worker id", "personnel no", "personnel number", "payroll id", "payroll number"],
  account_name: ["name", "full name", "beneficiary", "beneficiary name", "bene name", "name of beneficiary", "recipient", "recipient name", "payee", "payee name", "account holder", "account holder name", "bank account name", "employee name", "vendor name", "customer name"],
  bank_account_number: ["account", "account number", "account no", "account num", "a/c", "a/c no", "a/c number", "acc no", "acc number", "acct no", "acct number", "bank account", "bank account no", "beneficiary account", "beneficiary account no", "beneficiary account number", "iban"],
  ifsc_code: ["ifsc", "ifsc no", "ifsc number", "bank ifsc", "bank ifsc code", "beneficiary ifsc"],
  bank_code: ["bank id", "bank no", "bank number", "code of bank"],
  bank_name: ["bank", "name of bank", "beneficiary bank", "beneficiary bank name"],
  branch_code: ["branch", "branch id", "branch no", "branch number"],
  phone_number: ["phone", "phone no", "mobile", "mobile no", "mobile number", "mobile phone", "cell phone", "telephone", "contact number", "contact no"],
  address: ["wallet", "wallet address", "crypto address", "usdt address", "trc20 address", "tron address"],
  currency_code: ["currency", "ccy", "cur", "curr", "payment currency"],
  transaction_amount: ["amount", "amt", "payout amount", "payment amount", "transfer amount", "transaction amt", "net amount", "net pay", "amount to pay"],
  transaction_code: ["transaction id", "txn id", "order id", "order number", "order no", "payment id", "payout id"],
  payout_code: ["payout method", "payment method"],
  callback_url: ["callback", "webhook", "webhook url", "notify url"],
  reference: ["remarks", "remark", "note", "notes", "narration", "memo", "comment", "payment reference"],
};

/** Reduces a name to its letters and digits, in lower case: "A/c No." becomes "acno". */
const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * Nouns for a person, as names of a column. They denote the ID of the person unless another column
 * does.
 */
const PERSON_NOUNS: ReadonlySet<string> = new Set([
  "employee",
  "staff",
  "customer",
  "client",
  "member",
  "vendor",
  "supplier",
  "worker",
]);

/** Returns whether the name is only a noun for a person, which may be a name or an ID. */
export const isPersonNoun = (name: string): boolean => PERSON_NOUNS.has(lettersOf(name));

const COLUMN_OF_SYNONYM: ReadonlyMap<string, Column> = new Map(
  COLUMNS.flatMap((column) =>
    COLUMN_SYNONYMS[column].map((name) => [lettersOf(name), column] as const),
  ),
);

const wordsOf = (name: string): readonly string[] =>
  name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");

/**
 * Returns the currency at the start or the end of the name of an amount, such as "Amount (INR)" or
 * "THB amount". Null: the name has no currency, or is not that of an amount.
 */
export function currencyInName(name: string): Currency | null {
  const words = wordsOf(name);
  const [first = "", last = ""] = [words[0], words.at(-1)].map((word) => word?.toUpperCase());
  if (isCurrency(last) && isAmount(words.slice(0, -1))) return last;
  return isCurrency(first) && isAmount(words.slice(1)) ? first : null;
}

/** Returns whether the words are a name of the amount, also if they end in "in". */
const isAmount = (words: readonly string[]): boolean =>
  /^transactionamount(?:in)?$/.test(joined(words)) ||
  COLUMN_OF_SYNONYM.get(joined(words).replace(/in$/, "")) === "transaction_amount";

const joined = (words: readonly string[]): string => words.join("").toLowerCase();

/** Returns the column for which this is another common name. */
export function synonymOf(name: string): Column | undefined {
  const column = COLUMN_OF_SYNONYM.get(lettersOf(name));
  if (column) return column;
  if (currencyInName(name) !== null) return "transaction_amount";
  return isPersonNoun(name) ? "user_id" : undefined;
}

const BANK_DETAILS: ReadonlySet<Column | undefined> = new Set<Column>([
  ...DETAIL_FIELDS,
  "currency_code",
  "transaction_amount",
]);

/** Returns whether the column decides who is paid, and how much. */
export const isBankDetail = (column: Column | undefined): boolean => BANK_DETAILS.has(column);
