import { gatewayAmount } from "#money/format.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { err, type Result } from "#result.ts";
import type { Merchant } from "./keyring.ts";
import { encode, type LayoutProblem, type LayoutSettings } from "./layout.ts";
import { type Escaping, type Layout, type OperationName, OPERATIONS } from "./operations.ts";

type Values = Readonly<Record<string, string | null | undefined>>;

/** The given values in the order of the operation; those that are absent or empty are left out. */
export function written(
  name: OperationName,
  values: Values,
  { escaping, layout }: { readonly escaping: Escaping; readonly layout?: Layout },
): Result<string, LayoutProblem> {
  const operation = OPERATIONS[name];
  const fields = operation.fields.flatMap((field): [string, string][] => {
    const value = values[field];
    return value ? [[field, value]] : [];
  });
  return encode(fields, operation, { layout: layout ?? operation.layout, escaping });
}

/**
 * The plaintext of one payout request. `timestampSeconds` is Unix time; the gateway takes it from 1 h before
 * to 5 min after its own clock (specification, Limits), so it is stamped per attempt and never kept.
 */
export const encodePayout = (
  order: PayoutOrder,
  merchant: Merchant,
  timestampSeconds: number,
  settings: LayoutSettings,
): Result<string, LayoutProblem> =>
  written(
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

/** The plaintext of one status query. An empty code is no absent field: without it there is no question. */
export function encodeStatus(
  transactionCode: string,
  merchant: Merchant,
  escaping: Escaping,
): Result<string, LayoutProblem> {
  if (transactionCode === "") return err({ field: "transaction_code", problem: "is empty" });
  return written(
    "status",
    { merchant_api_key: merchant.apiKey.reveal(), transaction_code: transactionCode },
    { escaping },
  );
}

/** For people: what is wrong with which field. */
export const sentence = ({ field, problem }: LayoutProblem): string =>
  `${field || "the request"} ${problem}`;
