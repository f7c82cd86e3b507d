import { unitOf } from "#money/currency.ts";
import type { DepositRequest } from "./deposits.ts";
import type { Dialect } from "./envelope.ts";
import type { Method } from "./methods.ts";

/**
 * What a deposit of each currency must carry beyond the fields that all need (specification, Deposit request
 * parameters). The gateway's own copy: payrun's table is not asked. No deposits in other currencies.
 */
// biome-ignore format: the columns are the point
const REQUIRED: Readonly<Record<string, readonly (keyof DepositRequest)[]>> = {
  BDT: ["phone"],
  BRL: [],
  INR: [],
  JPY: [],
  KRW: ["deposit_name"],
  MMK: [],
  TRY: ["identity_id"],
  VND: [],
};

const ELEVEN_DIGITS = /^\d{11}$/;
const AMOUNT = /^\d{1,15}(?:\.(\d{1,8}))?$/;

/** The error code of the first thing wrong with a deposit's fields, or null. A wrong format counts as missing (109). */
export function faultInDeposit(
  request: DepositRequest,
  method: Method | null,
  dialect: Dialect,
): string | null {
  const required = REQUIRED[request.currency_code];
  if (!required) return "114";
  // Clients name the depositor in fields of their own, or not at all.
  const isOmitted = (field: string) => dialect === "clients" && field === "deposit_name";
  if (required.some((field) => !request[field] && !isOmitted(field))) return "109";
  if (request.currency_code === "BDT" && !ELEVEN_DIGITS.test(request.phone ?? "")) return "109";
  if (method === null) return "110";
  if (method.asksBank && !request.bank_code) return "110";

  const match = AMOUNT.exec(request.transaction_amount);
  if (!match || !/[1-9]/.test(request.transaction_amount)) return "109";
  // Error 122 is the payouts' alone.
  const digits = unitOf(request.currency_code)?.gatewayDigits ?? 2;
  return (match[1]?.length ?? 0) > digits ? "109" : null;
}

/** Whether a payer's reference has the form of its operation (docs/gateway.md section 10). */
export const REFERENCE_FORMS = {
  utr: /^(?:\d{12}|\d{7})$/,
  ref_no: /^[0-9A-Za-z]{6,32}$/,
} as const;
