import { gatewayAmount } from "#money/format.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { err, ok, type Result } from "#result.ts";
import type { Keyring, Merchant } from "./keyring.ts";
import { encode, type LayoutProblem, type LayoutSettings } from "./layout.ts";
import { OPERATIONS } from "./operations.ts";

/**
 * The plaintext of one payout request, in the order of the documentation. Fields that the order does not
 * have are left out. `timestampSeconds` is Unix time; the gateway takes it from 1 h before to 5 min after
 * its own clock (specification, Limits), so it is stamped per attempt and never kept.
 */
export function encodePayout(
  order: PayoutOrder,
  merchant: Merchant,
  timestampSeconds: number,
  settings: LayoutSettings,
): Result<string, LayoutProblem> {
  const values: Readonly<Record<string, string | undefined>> = {
    ...order.details,
    merchant_code: merchant.merchantCode,
    transaction_code: order.transactionCode,
    transaction_timestamp: String(timestampSeconds),
    payout_code: order.payoutCode ?? merchant.payoutCode,
    transaction_amount: gatewayAmount(order.money),
    currency_code: order.money.currency,
    callback_url: order.callbackUrl ?? undefined,
  };
  const fields: [string, string][] = [];
  for (const name of OPERATIONS.payout.fields) {
    const value = values[name];
    if (value) fields.push([name, value]);
  }
  return encode(fields, OPERATIONS.payout, settings);
}

/** Whether an order can be sent at all, asked before an attempt is opened. The error is a sentence for people. */
export function canEncode(
  order: PayoutOrder,
  keyring: Keyring,
  settings: LayoutSettings,
): Result<true, string> {
  const merchant = keyring.forCurrency(order.money.currency);
  if (!merchant) return err(`no merchant is configured for ${order.money.currency}`);
  // Any moment will do: every timestamp of this century has ten digits.
  const plaintext = encodePayout(order, merchant, 1_700_000_000, settings);
  return plaintext.ok ? ok(true) : err(sentence(plaintext.error));
}

export const sentence = ({ field, problem }: LayoutProblem): string =>
  `${field || "the request"} ${problem}`;
