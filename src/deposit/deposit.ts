import type { Money } from "#money/money.ts";

/**
 * The fields of the deposit request that describe user and payer, named as in the specification's deposit table. They
 * are sealed at rest and never logged.
 */
export const DEPOSIT_DETAIL_FIELDS = [
  "user_id",
  "deposit_name",
  "identity_id",
  "phone",
  "bank_code",
] as const;

export type DepositDetailField = (typeof DEPOSIT_DETAIL_FIELDS)[number];

/** Only the fields that are given; an absent one is left out of the request. */
export type DepositDetails = Readonly<Partial<Record<DepositDetailField, string>>>;

/** One deposit as it is asked of the gateway: everything but the timestamp. It keeps its code for life. */
export interface DepositOrder {
  readonly transactionCode: string;
  readonly money: Money;
  readonly details: DepositDetails;
  /** Overrides the payment method code of the merchant. */
  readonly paymentCode: string | null;
  /** Where the gateway tells how it ended, beside the address in its back office. */
  readonly callbackUrl: string | null;
}

/** The payer's own account, the second step of a KRW deposit. */
export interface Depositor {
  readonly transactionCode: string;
  readonly bankCode: string;
  readonly accountNumber: string;
}

/** What the payer's bank or wallet calls the payment (UTR), by which the gateway finds it. */
export interface PayerReference {
  readonly currency: string;
  readonly transactionCode: string;
  readonly reference: string;
}

/**
 * The content of a deposit as one text, every field that is sent but for the timestamp, in a fixed order. Its keyed
 * digest binds the code and every attempt to one payload.
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
