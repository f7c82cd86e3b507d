import type { Depositor, DepositOrder, PayerReference } from "#deposit/deposit.ts";
import {
  findDetailFaults,
  isDepositCurrency,
  type ReferenceName,
  referenceName,
} from "#deposit/requirements.ts";
import { gatewayAmount } from "#money/format.ts";
import { err, type Result } from "#base/result.ts";
import type { Merchant } from "#gateway/wire/keyring.ts";
import type { LayoutProblem } from "#gateway/wire/layout.ts";
import type { Escaping } from "#gateway/wire/endpoints.ts";
import { encodeFields } from "./requests.ts";

/**
 * Builds the plaintext of one deposit request, or of step 1 of KRW. Each attempt gets a new
 * timestamp, as for payouts.
 */
export function encodeDeposit(
  order: DepositOrder,
  merchant: Merchant,
  timestampSeconds: number,
  escaping: Escaping,
): Result<string, LayoutProblem> {
  const { currency } = order.money;
  if (!isDepositCurrency(currency)) {
    return err({
      field: "currency_code",
      problem: `${currency} is not available for deposits`,
    });
  }
  const [fault] = findDetailFaults(currency, order.details);
  if (fault) return err(fault);
  const paymentCode = order.paymentCode ?? merchant.paymentCode;
  if (!paymentCode) {
    return err({ field: "payment_code", problem: "is missing, and the merchant has no default" });
  }
  return encodeFields(
    "deposit",
    {
      ...order.details,
      merchant_code: merchant.merchantCode,
      merchant_api_key: merchant.apiKey.reveal(),
      transaction_code: order.transactionCode,
      transaction_timestamp: String(timestampSeconds),
      transaction_amount: gatewayAmount(order.money),
      payment_code: paymentCode,
      currency_code: currency,
      callback_url: order.callbackUrl,
    },
    { escaping },
  );
}

/** Builds the plaintext of KRW step 2. */
export const encodeDepositor = (
  { transactionCode, bankCode, accountNumber }: Depositor,
  escaping: Escaping,
): Result<string, LayoutProblem> =>
  encodeFields(
    "krw_depositor",
    { transaction_code: transactionCode, bank_code: bankCode, account_number: accountNumber },
    { escaping },
  );

/** Builds the plaintext of a payer's reference, and selects the operation that accepts it. */
export function encodeReference(
  { currency, transactionCode, reference }: PayerReference,
  escaping: Escaping,
): Result<{ readonly name: ReferenceName; readonly plaintext: string }, LayoutProblem> {
  const taken = referenceName(currency, reference);
  if (!taken.ok) return err({ field: "reference", problem: taken.error });
  const name = taken.value;
  const values = { transaction_code: transactionCode, [name]: reference };
  const text = encodeFields(name, values, { escaping });
  return text.ok ? { ok: true, value: { name, plaintext: text.value } } : text;
}

/** Builds the plaintext of a balance query. */
export const encodeBalance = (
  merchant: Merchant,
  escaping: Escaping,
): Result<string, LayoutProblem> =>
  encodeFields("balance", { merchant_code: merchant.merchantCode }, { escaping });
