import { systemClock } from "#clock.ts";
import {
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
} from "#gateway/client.ts";
import { makeKeyring, merchantOf } from "#gateway/keyring.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";

export const keyring = makeKeyring(DEMO_MERCHANTS.map(merchantOf));

export function clientTo(url: string, options: Partial<GatewayClientOptions> = {}) {
  return createGatewayClient({
    url,
    keyring,
    timeoutMs: 5000,
    payoutLayout: "name=value",
    escaping: "none",
    maxSockets: 8,
    clock: systemClock,
    userAgent: "payrun-test",
    ...options,
  });
}

/** What came of sending an order that can be written. */
export async function submit(client: GatewayClient, order: PayoutOrder) {
  const submission = await client.submitPayout(order);
  if (submission.kind === "attempted") return submission;
  throw new Error(submission.text);
}

/** A clean order: INR 100.50 unless told otherwise. */
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
