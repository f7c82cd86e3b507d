import type { DepositDetailField, DepositDetails } from "./deposit.ts";

interface Requirements {
  /** Beyond what every deposit needs. */
  readonly details: readonly DepositDetailField[];
  /** The payer says an account of their own before they are told where to pay. */
  readonly steps: 1 | 2;
  /** Whether the gateway takes the payer's reference, and its form. */
  readonly reference: RegExp | null;
}

/**
 * What the gateway asks of a deposit (specification, Deposit request parameters, KRW step 2; docs/gateway.md section 10).
 * One line per currency that it takes deposits in; there are no others.
 */
// biome-ignore format: the columns are the point
export const DEPOSIT_REQUIREMENTS = {
  BDT: { details: ["phone"],        steps: 1, reference: /^[0-9A-Za-z]{6,32}$/ },
  BRL: { details: [],               steps: 1, reference: null },
  INR: { details: [],               steps: 1, reference: /^[0-9]{12}$/ },
  JPY: { details: [],               steps: 1, reference: null },
  KRW: { details: ["deposit_name"], steps: 2, reference: null },
  MMK: { details: [],               steps: 1, reference: null },
  TRY: { details: ["identity_id"],  steps: 1, reference: null },
  VND: { details: [],               steps: 1, reference: null },
} as const satisfies Record<string, Requirements>;

export type DepositCurrency = keyof typeof DEPOSIT_REQUIREMENTS;

export const isDepositCurrency = (code: string): code is DepositCurrency =>
  Object.hasOwn(DEPOSIT_REQUIREMENTS, code);

/** Eleven digits, without country code (specification, Limits). */
const PHONE = /^[0-9]{11}$/;

/** What is wrong with the details of a deposit, by field; empty when the gateway has what it asks for. */
export function faultsInDetails(
  currency: DepositCurrency,
  details: DepositDetails,
): { readonly field: DepositDetailField; readonly problem: string }[] {
  const required: readonly DepositDetailField[] = [
    "user_id",
    ...DEPOSIT_REQUIREMENTS[currency].details,
  ];
  const missing = required
    .filter((field) => !details[field])
    .map((field) => ({ field, problem: `is missing, ${currency} deposits need it` }));
  const { phone } = details;
  return phone && !PHONE.test(phone)
    ? [...missing, { field: "phone", problem: "is not 11 digits without country code" }]
    : missing;
}

/** How many requests a deposit takes until the payer is told where to pay. */
export const stepsOf = (currency: string): 1 | 2 =>
  isDepositCurrency(currency) ? DEPOSIT_REQUIREMENTS[currency].steps : 1;
