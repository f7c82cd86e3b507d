import { z } from "zod";
import { plainDecimal } from "#gateway/wire/decimal.ts";

/**
 * The wire formats of deposits (specification, Deposit request and response; gateway.md
 * sections 9, 10).
 */

const text = z.string().max(4096);
const someText = text.min(1);

/** Deposit parameters. The schema does not check which optional ones a currency needs. */
export const DEPOSIT_REQUEST = z.strictObject({
  merchant_code: someText,
  merchant_api_key: someText,
  transaction_code: someText,
  /** Unix time in seconds. */
  transaction_timestamp: z.string().regex(/^\d{1,12}$/),
  transaction_amount: someText,
  payment_code: someText,
  user_id: someText,
  currency_code: someText,
  deposit_name: text.optional(),
  identity_id: text.optional(),
  phone: text.optional(),
  bank_code: text.optional(),
  callback_url: text.optional(),
  /**
   * Not documented, but sent by every current client (gateway.md 2.2). payrun does not send
   * it.
   */
  ip_address: text.optional(),
});

export const DEPOSITOR_REQUEST = z.strictObject({
  transaction_code: someText,
  bank_code: someText,
  account_number: someText,
});

export const REFERENCE_REQUESTS = {
  utr: z.strictObject({ transaction_code: someText, utr: someText }),
  ref_no: z.strictObject({ transaction_code: someText, ref_no: someText }),
} as const;

export const BALANCE_REQUEST = z.strictObject({ merchant_code: someText });

/** A text that is shown to a payer: one line, with a maximum length that fits on a screen. */
const shown = z
  .string()
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
  .regex(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/);
const someShown = shown.min(1);
/** An amount in its original digits (json.ts), with an exponent expanded. */
const decimal = z
  .string()
  .max(64)
  .transform((written) => plainDecimal(written) ?? written);
const amount = decimal.pipe(z.string().regex(/^\d{1,20}(?:\.\d{1,10})?$/));

/**
 * The fields of every answer to an accepted deposit. Loose: an additional field does not cause
 * doubt.
 */
export const DEPOSIT_ANSWER = z.looseObject({
  transaction_code: someText,
  amount,
  transaction_no: text.nullish(),
  expired_at: shown.nullish(),
  expired_timezone: shown.nullish(),
});

/** The additional fields of each answer variant, from the most distinctive to the least. */
export const UPI_FIELDS = z.looseObject({ upi_id: someShown, qr: z.string().max(2048).nullish() });
export const WALLET_FIELDS = z.looseObject({
  wallet_number: someShown,
  wallet_number_type: shown.nullish(),
  wallet_name: someShown,
  wallet_code: shown.nullish(),
  match_code: shown.nullish(),
});
export const KRW_STEP_1 = z.looseObject({
  step: z.literal("1").nullish(),
  bank_lists: z.array(z.unknown()),
});
export const KRW_STEP_2 = z.looseObject({
  step: z.literal("2").nullish(),
  bank_name: someShown,
  account_name: someShown,
  account_number: someShown,
});

/**
 * A bank in a list is a text, or an object with one of these names. Its format is not documented.
 */
export const BANK_NAMES = {
  code: ["bank_code", "code", "value", "id"],
  name: ["bank_name", "name", "label", "bank"],
} as const;

/**
 * Numbers in older answers, texts with three decimals in newer ones (gateway.md section 10).
 */
const signedAmount = decimal.pipe(z.string().regex(/^-?\d{1,20}(?:\.\d{1,10})?$/));
export const BALANCE_ANSWER = z.looseObject({
  currency_code: someText,
  balance: signedAmount,
  frozen_balance: signedAmount.or(z.literal("").transform(() => null)).nullish(),
  available_balance: signedAmount.or(z.literal("").transform(() => null)).nullish(),
});
