import type { Money } from "#money/money.ts";

/**
 * The fields of the deposit request that describe user and payer, named as in the specification's
 * deposit table. They are sealed at rest and never logged.
 */
export const DEPOSIT_DETAIL_FIELDS = [
  "user_id",
  "deposit_name",
  "identity_id",
  "phone",
  "bank_code",
] as const;

export type DepositDetailField = (typeof DEPOSIT_DETAIL_FIELDS)[number];

/** Contains only the given fields; an absent field is left out of the request. */
export type DepositDetails = Readonly<Partial<Record<DepositDetailField, string>>>;

/**
 * One deposit as requested from the gateway: everything except the timestamp. It keeps its code for
 * life.
 */
export interface DepositOrder {
  readonly transactionCode: string;
  readonly money: Money;
  readonly details: DepositDetails;
  /** Overrides the payment method code of the merchant. */
  readonly paymentCode: string | null;
  /**
   * Address to which the gateway reports the result, in addition to the address in its back office.
   */
  readonly callbackUrl: string | null;
}

/** The payer's own account, the second step of a KRW deposit. */
export interface Depositor {
  readonly transactionCode: string;
  readonly bankCode: string;
  readonly accountNumber: string;
}

/**
 * The identifier of the payment at the payer's bank or wallet (UTR), by which the gateway finds it.
 */
export interface PayerReference {
  readonly currency: string;
  readonly transactionCode: string;
  readonly reference: string;
}

/**
 * Returns the content of a deposit as one text: every field that is sent except the timestamp, in a
 * fixed order. Its keyed digest binds the code and every attempt to one payload.
 */
export function depositText(order: DepositOrder): string {
  const { transactionCode, money, details, paymentCode, callbackUrl } = order;
  return JSON.stringify([
    transactionCode,
    money.currency,
    money.minor.toString(),
    money.minorDigits,
    paymentCode,
    callbackUrl,
    ...DEPOSIT_DETAIL_FIELDS.map((field) => details[field] ?? null),
  ]);
}
