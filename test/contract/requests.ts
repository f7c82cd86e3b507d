import { type Fields, merchantFor, newCode, stamp } from "./side.ts";

/** Fields of every deposit, hand-written from the specification's table. */
export function depositFields(currency: string, changes: Fields = {}): Fields {
  const merchant = merchantFor(currency);
  return {
    merchant_code: merchant.merchantCode,
    merchant_api_key: merchant.apiKey.reveal(),
    transaction_code: newCode(),
    transaction_timestamp: stamp(),
    transaction_amount: WHOLE.has(currency) ? "50000" : "1000.50",
    payment_code: merchant.paymentCode ?? "",
    user_id: "customer-7",
    currency_code: currency,
    ...DEPOSIT_MORE[currency],
    ...changes,
  };
}

const WHOLE: ReadonlySet<string> = new Set(["IDR", "JPY", "KRW", "MMK", "VND"]);

/** Currencies of H2H deposits, and the additional fields of each. */
export const DEPOSIT_MORE: Readonly<Record<string, Fields>> = {
  BDT: { phone: "01812345678" },
  BRL: {},
  INR: {},
  JPY: {},
  KRW: { deposit_name: "Kim Minjun" },
  MMK: {},
  TRY: { identity_id: "12345678901" },
  VND: {},
};

const BASE = {
  bank_account_number: "11133322",
  bank_code: "B1",
  bank_name: "Bank",
};
const NAMED = { bank_code: "B1", bank_name: "Bank" };

/** Additional fields of a payout per currency, hand-written from the specification's table. */
export const PAYOUT_MORE: Readonly<Record<string, Fields>> = {
  BDT: { ...BASE, phone_number: "01812345678" },
  BRL: { ...BASE, bank_account_number: "12345678901" },
  CNY: BASE,
  IDR: NAMED,
  INR: { ...BASE, ifsc_code: "HDFC0000001" },
  JPY: { ...BASE, branch_code: "001" },
  KRW: BASE,
  MYR: NAMED,
  PHP: NAMED,
  THB: BASE,
  USDT: { address: "TXYZ" },
  VND: BASE,
};

export function payoutFields(currency: string, changes: Fields = {}): Fields {
  const merchant = merchantFor(currency);
  return {
    merchant_code: merchant.merchantCode,
    transaction_code: newCode(),
    transaction_timestamp: stamp(),
    payout_code: merchant.payoutCode,
    transaction_amount: "100",
    user_id: "customer-7",
    currency_code: currency,
    account_name: "Jane Doe",
    ...PAYOUT_MORE[currency],
    ...changes,
  };
}
