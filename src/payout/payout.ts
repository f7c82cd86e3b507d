import type { Money } from "#money/money.ts";

/**
 * The fields of the payout request that describe user and beneficiary, named as in the
 * specification's payout table. They are encrypted at rest and never logged.
 */
export const DETAIL_FIELDS = [
  "user_id",
  "account_name",
  "bank_account_number",
  "ifsc_code",
  "bank_code",
  "bank_name",
  "branch_code",
  "phone_number",
  "address",
] as const;

export type DetailField = (typeof DETAIL_FIELDS)[number];

/** The fields that determine who receives the money, and where. */
export const BENEFICIARY_FIELDS: readonly DetailField[] = DETAIL_FIELDS.filter(
  (field) => field !== "user_id",
);

/** Only the fields that the row filled in. Absent fields are left out of the request. */
export type PayoutDetails = Readonly<Partial<Record<DetailField, string>>>;

/** A validated row: everything that will be sent, except transaction code and timestamp. */
export interface PayoutDraft {
  /** The operator's own transaction code. Null: payrun generates one. */
  readonly transactionCode: string | null;
  readonly money: Money;
  readonly details: PayoutDetails;
  /** Overrides the payout method code of the merchant. */
  readonly payoutCode: string | null;
  /** Overrides the callback address of this installation. */
  readonly callbackUrl: string | null;
  /** The operator's own note. It is stored and reported, but never sent. */
  readonly reference: string | null;
}

/** A payout as it is sent to the gateway: a draft with its permanent transaction code. */
export interface PayoutOrder {
  readonly transactionCode: string;
  readonly money: Money;
  readonly details: PayoutDetails;
  readonly payoutCode: string | null;
  readonly callbackUrl: string | null;
}

/**
 * Returns the content of a payout as one text: every field that is sent except the timestamp, in a
 * fixed order. Its keyed digest binds code, approval and every attempt to one payload (I5, I7).
 */
export function payloadText(order: PayoutOrder): string {
  const { transactionCode, money, details, payoutCode, callbackUrl } = order;
  return JSON.stringify([
    transactionCode,
    money.currency,
    money.minor.toString(),
    money.minorDigits,
    payoutCode,
    callbackUrl,
    ...DETAIL_FIELDS.map((field) => details[field] ?? null),
  ]);
}

/**
 * Identifies the beneficiary of a payout by the account, phone or wallet that receives the money.
 */
export function accountText(currency: string, details: PayoutDetails): string {
  const { bank_account_number, phone_number, address, bank_code } = details;
  return JSON.stringify([
    currency,
    bank_code ?? null,
    bank_account_number ?? null,
    address ?? null,
    bank_account_number ? null : (phone_number ?? null),
  ]);
}

/** Fields that can hold the account, by precedence. */
const ACCOUNT_FIELDS = ["bank_account_number", "address", "phone_number"] as const;

/** Returns the field with the number or address that receives the money. */
export const accountFieldOf = (details: PayoutDetails): DetailField | null =>
  ACCOUNT_FIELDS.find((field) => details[field] !== undefined) ?? null;

/** Returns the number or address that receives the money, as it is in the row. */
export function accountNumberOf(details: PayoutDetails): string | null {
  const field = accountFieldOf(details);
  return field && (details[field] ?? null);
}

/**
 * Returns the receiving bank in its shortest form: its code, the bank part of an IFSC, or its name.
 */
export const bankOf = ({ bank_code, ifsc_code, bank_name }: PayoutDetails): string | null =>
  bank_code ?? ifsc_code?.slice(0, 4) ?? bank_name ?? null;

/**
 * Returns the lane of a merchant and currency, in which payouts are paused, limited and measured
 * together.
 */
export const laneOf = (merchantCode: string, currency: string): string =>
  `${merchantCode}/${currency}`;

/**
 * Splits a lane into merchant and currency. A currency alone gives that currency and no merchant.
 */
export function laneParts(lane: string): {
  readonly merchantCode: string;
  readonly currency: string;
} {
  const cut = lane.lastIndexOf("/");
  return { merchantCode: lane.slice(0, Math.max(cut, 0)), currency: lane.slice(cut + 1) };
}
