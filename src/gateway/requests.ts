import { gatewayAmount } from "#money/format.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { err, type Result } from "#base/result.ts";
import type { Merchant } from "#gateway/wire/keyring.ts";
import { encode, type LayoutProblem, type LayoutSettings } from "#gateway/wire/layout.ts";
import {
  type Escaping,
  type Layout,
  type EndpointName,
  ENDPOINTS,
} from "#gateway/wire/endpoints.ts";

type Values = Readonly<Record<string, string | null | undefined>>;

/** Returns the given values in the order of the operation. Absent and empty values are left out. */
export function encodeFields(
  name: EndpointName,
  values: Values,
  { escaping, layout }: { readonly escaping: Escaping; readonly layout?: Layout },
): Result<string, LayoutProblem> {
  const operation = ENDPOINTS[name];
  const fields = operation.fields.flatMap((field): [string, string][] => {
    const value = values[field];
    return value ? [[field, value]] : [];
  });
  return encode(fields, operation, { layout: layout ?? operation.layout, escaping });
}

/**
 * Builds the plaintext of one payout request. `timestampSeconds` is Unix time. The gateway accepts
 * it from 1 h before to 5 min after its own clock (specification, Limits), so each attempt gets a
 * new one, which is never stored.
 */
export const encodePayout = (
  order: PayoutOrder,
  merchant: Merchant,
  timestampSeconds: number,
  settings: LayoutSettings,
): Result<string, LayoutProblem> =>
  encodeFields(
    "payout",
    {
      ...order.details,
      merchant_code: merchant.merchantCode,
      transaction_code: order.transactionCode,
      transaction_timestamp: String(timestampSeconds),
      payout_code: order.payoutCode ?? merchant.payoutCode,
      transaction_amount: gatewayAmount(order.money),
      currency_code: order.money.currency,
      callback_url: order.callbackUrl,
    },
    settings,
  );

/**
 * Builds the plaintext of one status query. An empty code is not an absent field: without a code
 * there is no query.
 */
export function encodeStatus(
  transactionCode: string,
  merchant: Merchant,
  escaping: Escaping,
): Result<string, LayoutProblem> {
  if (transactionCode === "") return err({ field: "transaction_code", problem: "is empty" });
  return encodeFields(
    "status",
    { merchant_api_key: merchant.apiKey.reveal(), transaction_code: transactionCode },
    { escaping },
  );
}

/** Describes for people which field has which problem. */
export const layoutProblemText = ({ field, problem }: LayoutProblem): string =>
  `${field || "the request"} ${problem}`;
