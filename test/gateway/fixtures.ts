import { makeKeyring, merchantOf } from "#gateway/wire/keyring.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";

export const keyring = makeKeyring(DEMO_MERCHANTS.map(merchantOf));

/** A valid order: INR 100.50 unless specified. */
export function orderOf(transactionCode: string, changes: Partial<PayoutOrder> = {}): PayoutOrder {
  return {
    transactionCode,
    money: { currency: "INR", minor: 10050n, minorDigits: 2 },
    details: {
      user_id: "U1",
      account_name: "Jane Doe",
      bank_account_number: "11133322",
      ifsc_code: "HDFC0000001",
      bank_code: "HDFC",
      bank_name: "HDFC Bank",
    },
    payoutCode: null,
    callbackUrl: null,
    ...changes,
  };
}
