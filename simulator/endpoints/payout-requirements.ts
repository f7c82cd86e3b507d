import type { PayoutRequest } from "#gateway/wire/messages.ts";
import { unitOf } from "#money/currency.ts";
import type { Dialect } from "#simulator/wire/envelope.ts";

type Field = keyof PayoutRequest;

const BANK = ["bank_account_number", "bank_code", "bank_name"] as const;

/**
 * Fields that a payout of each currency needs in addition to the common ones (specification, Payout
 * request parameters). This is the gateway's own copy and does not use payrun's rules. Not listed:
 * crypto, by `address`.
 */
// biome-ignore format: the table is easier to read in columns
const REQUIRED: Readonly<Record<string, readonly Field[]>> = {
  BDT: [...BANK, "phone_number"],
  BRL: BANK,
  CNY: BANK,
  IDR: ["bank_code", "bank_name"],
  INR: [...BANK, "ifsc_code"],
  JPY: [...BANK, "branch_code"],
  KRW: BANK,
  MMK: [],
  MYR: ["bank_code", "bank_name"],
  PHP: ["bank_code", "bank_name"],
  THB: BANK,
  TRY: [],
  VND: BANK,
};
const REQUIRED_OF_CRYPTO: readonly Field[] = ["address"];

/**
 * Fields that real clients leave out and that a gateway serving them accepts as missing
 * (docs/reference/gateway.md section 13).
 */
const OMITTED_BY_CLIENTS: Readonly<Record<string, readonly Field[]>> = {
  BDT: ["phone_number"],
  INR: ["bank_code"],
  THB: ["bank_code"],
};

function requiredOf(currency: string, dialect: Dialect): readonly Field[] {
  const required = REQUIRED[currency] ?? REQUIRED_OF_CRYPTO;
  if (dialect === "specification") return required;
  // The wallet's address is sent as the account number.
  if (!REQUIRED[currency]) return ["bank_account_number"];
  const omitted = ["bank_name", ...(OMITTED_BY_CLIENTS[currency] ?? [])];
  return required.filter((field) => !omitted.includes(field));
}

const ELEVEN_DIGITS = /^\d{11}$/;
const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/;
const AMOUNT = /^\d{1,15}(?:\.(\d{1,8}))?$/;

/**
 * Error code of the first problem in a payout's fields, or null. A wrong format counts as missing
 * (109).
 */
export function findPayoutProblem(request: PayoutRequest, dialect: Dialect): string | null {
  const currency = request.currency_code;
  const { address, phone_number: phone, bank_account_number: account = address } = request;
  const given = dialect === "clients" ? { ...request, bank_account_number: account } : request;
  for (const field of requiredOf(currency, dialect)) {
    if (!isGiven(given[field])) return "109";
  }
  const isPhone = ELEVEN_DIGITS.test(phone ?? (dialect === "clients" ? "00000000000" : ""));
  if (currency === "BDT" && !isPhone) return "109";
  // Clients also send e-mail addresses and other PIX keys here.
  const isId = dialect === "clients" || ELEVEN_DIGITS.test(account ?? "");
  if (currency === "BRL" && !isId) return "109";
  if (currency === "INR" && !IFSC.test(request.ifsc_code ?? "")) return "120";
  return findAmountProblem(request.transaction_amount, currency);
}

function findAmountProblem(amount: string, currency: string): string | null {
  const match = AMOUNT.exec(amount);
  if (!match || !/[1-9]/.test(amount)) return "109";
  const digits = unitOf(currency)?.gatewayDigits ?? 8;
  return (match[1]?.length ?? 0) > digits ? "122" : null;
}

const isGiven = (value: string | undefined): boolean =>
  value !== undefined && value !== "" && value !== "null";
