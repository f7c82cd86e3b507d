import type { Money } from "#money/money.ts";

/**
 * The fields of the payout request that describe user and beneficiary, named as in the
 * specification's payout table. They are sealed at rest and never logged.
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

/** Only the fields that the row filled; an absent field is left out of the request. */
export type PayoutDetails = Readonly<Partial<Record<DetailField, string>>>;

/** A row that needs no second check: everything that will be sent, but for code and timestamp. */
export interface PayoutDraft {
  /** The operator's own transaction code; null: payrun mints one. */
  readonly transactionCode: string | null;
  readonly money: Money;
  readonly details: PayoutDetails;
  /** Overrides the payout method code of the merchant. */
  readonly payoutCode: string | null;
  /** Overrides the callback address of this installation. */
  readonly callbackUrl: string | null;
  /** The operator's own note; kept, reported, never sent. */
  readonly reference: string | null;
}

/** One payout as it goes to the gateway: a draft with its code for life. */
export interface PayoutOrder {
  readonly transactionCode: string;
  readonly money: Money;
  readonly details: PayoutDetails;
  readonly payoutCode: string | null;
  readonly callbackUrl: string | null;
}

/**
 * The content of a payout as one text, every field that is sent but for the timestamp, in a fixed order. Its
 * keyed digest binds code, approval and every attempt to one payload (I5, I7).
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

/** Tells the beneficiary of a payout apart from others: the account, phone or wallet that gets the money. */
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

/** The number or address that gets the money, as it stands in the row. */
export const accountNumberOf = (details: PayoutDetails): string | null =>
  details.bank_account_number ?? details.address ?? details.phone_number ?? null;

/** Which bank gets it, as short as it is told: its code, the bank's part of an IFSC, its name. */
export const bankOf = ({ bank_code, ifsc_code, bank_name }: PayoutDetails): string | null =>
  bank_code ?? ifsc_code?.slice(0, 4) ?? bank_name ?? null;

/** Merchant and currency: what is paused, limited and measured together. */
export const laneOf = (merchantCode: string, currency: string): string =>
  `${merchantCode}/${currency}`;

/** The same, read back out of a lane. Of a currency alone: that currency, and no merchant. */
export function laneParts(lane: string): {
  readonly merchantCode: string;
  readonly currency: string;
} {
  const cut = lane.lastIndexOf("/");
  return { merchantCode: lane.slice(0, Math.max(cut, 0)), currency: lane.slice(cut + 1) };
}
