import { FORMATS } from "#payout/rules/formats.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { DepositDetailField, DepositDetails } from "./deposit.ts";

interface Requirements {
  /** Fields in addition to those that every deposit needs. */
  readonly details: readonly DepositDetailField[];
  /** 2: the payer states an account of their own before they receive payment instructions. */
  readonly steps: 1 | 2;
  /**
   * The name and form in which the gateway accepts the payer's reference. Null: it does not accept
   * one.
   */
  readonly reference: { readonly name: ReferenceName; readonly form: RegExp } | null;
}

/** Also the name of the endpoint that accepts it. */
export type ReferenceName = "utr" | "ref_no";

/**
 * The gateway's requirements for a deposit (specification, Deposit request parameters, KRW step 2;
 * gateway.md section 10). One line for each currency in which it accepts deposits; there are
 * no others.
 */
// biome-ignore format: the columns are the point
export const DEPOSIT_REQUIREMENTS = {
  BDT: { details: ["phone"],        steps: 1, reference: { name: "ref_no", form: /^[0-9A-Za-z]{6,32}$/ } },
  BRL: { details: [],               steps: 1, reference: null },
  INR: { details: [],               steps: 1, reference: { name: "utr", form: /^[0-9]{12}$/ } },
  JPY: { details: [],               steps: 1, reference: null },
  KRW: { details: [],               steps: 2, reference: null },
  MMK: { details: [],               steps: 1, reference: null },
  TRY: { details: ["identity_id"],  steps: 1, reference: null },
  VND: { details: [],               steps: 1, reference: null },
} as const satisfies Record<string, Requirements>;

export type DepositCurrency = keyof typeof DEPOSIT_REQUIREMENTS;

/** Returns whether the gateway accepts deposits in this currency. */
export const isDepositCurrency = (code: string): code is DepositCurrency =>
  Object.hasOwn(DEPOSIT_REQUIREMENTS, code);

/**
 * Returns the errors in the details of a deposit, by field. Empty: the details meet the gateway's
 * requirements.
 */
export function findDetailFaults(
  currency: DepositCurrency,
  details: DepositDetails,
): { readonly field: DepositDetailField; readonly problem: string }[] {
  const required: readonly DepositDetailField[] = [
    "user_id",
    "deposit_name",
    ...DEPOSIT_REQUIREMENTS[currency].details,
  ];
  const missing = required
    .filter((field) => !details[field])
    .map((field) => ({ field, problem: `is missing; ${currency} deposits require it` }));
  const { phone } = details;
  return phone && !FORMATS.phone.pattern.test(phone)
    ? [...missing, { field: "phone", problem: "must have 11 digits without the country code" }]
    : missing;
}

/**
 * Returns the name under which the gateway accepts a payer's reference. Err: why it does not, as
 * text that completes "the reference …".
 */
export function referenceName(currency: string, reference: string): Result<ReferenceName, string> {
  const taken = isDepositCurrency(currency) ? DEPOSIT_REQUIREMENTS[currency].reference : null;
  if (!taken) return err(`is not accepted for ${currency}`);
  return taken.form.test(reference)
    ? ok(taken.name)
    : err(`does not have the form of ${currency} references`);
}

/** Returns how many requests a deposit takes until the payer receives payment instructions. */
export const stepsOf = (currency: string): 1 | 2 =>
  isDepositCurrency(currency) ? DEPOSIT_REQUIREMENTS[currency].steps : 1;

/** The currencies whose payers may enter the reference of their payment. */
export type ReferenceCurrency = {
  [C in DepositCurrency]: (typeof DEPOSIT_REQUIREMENTS)[C]["reference"] extends null ? never : C;
}[DepositCurrency];

/** Returns whether payers may enter a payment reference in this currency. */
export const acceptsReference = (currency: string): currency is ReferenceCurrency =>
  isDepositCurrency(currency) && DEPOSIT_REQUIREMENTS[currency].reference !== null;
