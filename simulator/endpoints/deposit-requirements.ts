import { unitOf } from "#money/currency.ts";
import type { DepositRequest } from "#simulator/state/deposits.ts";
import type { Dialect } from "#simulator/wire/envelope.ts";
import type { Method } from "#simulator/state/methods.ts";

/**
 * Fields that a deposit of each currency needs in addition to the common ones (specification,
 * Deposit request parameters). This is the gateway's own copy and does not use payrun's table.
 * Other currencies have no deposits.
 */
// biome-ignore format: the table is easier to read in columns
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

/**
 * Error code of the first problem in a deposit's fields, or null. A wrong format counts as missing
 * (109).
 */
export function findDepositProblem(
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
  // Error 122 applies to payouts only.
  const digits = unitOf(request.currency_code)?.gatewayDigits ?? 2;
  return (match[1]?.length ?? 0) > digits ? "109" : null;
}

/** Whether a payer's reference has the format of its endpoint (gateway.md section 10). */
export const REFERENCE_FORMS = {
  utr: /^(?:\d{12}|\d{7})$/,
  ref_no: /^[0-9A-Za-z]{6,32}$/,
} as const;
