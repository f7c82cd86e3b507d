import { gatewayAmount } from "#money/format.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import type { Result } from "#result.ts";
import type { Merchant } from "./keyring.ts";
import { encode, type LayoutProblem, type LayoutSettings } from "./layout.ts";
import { type Escaping, OPERATIONS } from "./operations.ts";

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

/** The plaintext of one status query. */
export function encodeStatus(
  transactionCode: string,
  merchant: Merchant,
  escaping: Escaping,
): Result<string, LayoutProblem> {
  const { fields, layout } = OPERATIONS.status;
  const values = {
    merchant_api_key: merchant.apiKey.reveal(),
    transaction_code: transactionCode,
  };
  const named = fields.map((name) => [name, values[name]] as const);
  return encode(named, OPERATIONS.status, { layout, escaping });
}

/** For people: what is wrong with which field. */
export const sentence = ({ field, problem }: LayoutProblem): string =>
  `${field || "the request"} ${problem}`;
