import { err, ok, type Result } from "#result.ts";
import type { DepositDetailField, DepositDetails } from "./deposit.ts";

interface Requirements {
  /** Beyond what every deposit needs. */
  readonly details: readonly DepositDetailField[];
  /** The payer says an account of their own before they are told where to pay. */
  readonly steps: 1 | 2;
  /** How the gateway takes the payer's reference, if it does: under which name, and in which form. */
  readonly reference: { readonly name: ReferenceName; readonly form: RegExp } | null;
}

/** Also the name of the operation that takes it. */
export type ReferenceName = "utr" | "ref_no";

/**
 * What the gateway asks of a deposit (specification, Deposit request parameters, KRW step 2; docs/gateway.md section 10).
 * One line per currency that it takes deposits in; there are no others.
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
    "deposit_name",
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

/** Under which name the gateway takes a payer's reference; or why not, to complete "the reference …". */
export function referenceName(currency: string, reference: string): Result<ReferenceName, string> {
  const taken = isDepositCurrency(currency) ? DEPOSIT_REQUIREMENTS[currency].reference : null;
  if (!taken) return err(`is not taken for ${currency}`);
  return taken.form.test(reference)
    ? ok(taken.name)
    : err(`has not the form that ${currency} references have`);
}

/** How many requests a deposit takes until the payer is told where to pay. */
export const stepsOf = (currency: string): 1 | 2 =>
  isDepositCurrency(currency) ? DEPOSIT_REQUIREMENTS[currency].steps : 1;
