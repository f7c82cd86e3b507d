import type { PayoutRequest } from "#gateway/messages.ts";
import { unitOf } from "#money/currency.ts";

type Field = keyof PayoutRequest;

const BANK = ["bank_account_number", "bank_code", "bank_name"] as const;

/**
 * What a payout of each currency must carry beyond the fields that all need (specification, Payout request
 * parameters). The gateway's own copy: payrun's rules are not asked. Not listed: crypto, by `address`.
 */
// biome-ignore format: the columns are the point
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

const ELEVEN_DIGITS = /^\d{11}$/;
const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/;
const AMOUNT = /^\d{1,15}(?:\.(\d{1,8}))?$/;

/** The error code of the first thing wrong with a payout's fields, or null. A wrong format counts as missing (109). */
export function faultInFields(request: PayoutRequest): string | null {
  const currency = request.currency_code;
  for (const field of REQUIRED[currency] ?? REQUIRED_OF_CRYPTO) {
    if (!isGiven(request[field])) return "109";
  }
  if (currency === "BDT" && !ELEVEN_DIGITS.test(request.phone_number ?? "")) return "109";
  if (currency === "BRL" && !ELEVEN_DIGITS.test(request.bank_account_number ?? "")) return "109";
  if (currency === "INR" && !IFSC.test(request.ifsc_code ?? "")) return "120";
  return faultInAmount(request.transaction_amount, currency);
}

function faultInAmount(amount: string, currency: string): string | null {
  const match = AMOUNT.exec(amount);
  if (!match || !/[1-9]/.test(amount)) return "109";
  const digits = unitOf(currency)?.gatewayDigits ?? 8;
  return (match[1]?.length ?? 0) > digits ? "122" : null;
}

const isGiven = (value: string | undefined): boolean =>
  value !== undefined && value !== "" && value !== "null";
