import { z } from "zod";
import { CURRENCY_CODE } from "#money/currency.ts";

/** The wire formats (specification, Resources; docs/reference/gateway.md sections 6 to 8). */

const text = z.string().max(4096);
const someText = text.min(1);
/** Numbers arrive as their original text (json.ts). */
const textOrNull = text.nullish();

/** One path segment, chosen by the provider. `.` and `..` are not segments. */
export const MERCHANT_CODE = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/;
export const MERCHANT_CODE_FORM = "letters, digits, _, - and ., not starting with .";

/** A name on a page: without characters that change how the text around it appears. */
export const MERCHANT_NAME = /^(?!\s)[^\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}\p{Cs}]{1,100}(?<!\s)$/u;
export const MERCHANT_NAME_FORM =
  "1 to 100 characters, without control characters or spaces at its ends";

/**
 * One entry of the merchants file: the credentials of one merchant and the currencies that it pays.
 */
export const MERCHANT_ENTRY = z.strictObject({
  currencies: z
    .array(z.string().regex(CURRENCY_CODE, "an upper-case currency code such as INR"))
    .min(1),
  merchant_code: z.string().regex(MERCHANT_CODE, MERCHANT_CODE_FORM),
  api_key: z.string().min(1),
  api_secret: z.string().min(1),
  payout_code: z.string().min(1),
  /** Additional payout codes of this merchant, which the rows of a file may use instead. */
  payout_codes: z.array(z.string().min(1)).max(100).optional(),
  /** For deposits. Merchants without deposits have none. */
  payment_code: z.string().min(1).optional(),
  /** The name that payers of a deposit see. */
  display_name: z.string().regex(MERCHANT_NAME, MERCHANT_NAME_FORM).optional(),
  /** The layout of this merchant's payouts. If absent, GATEWAY_PAYOUT_LAYOUT applies. */
  payout_layout: z.enum(["name=value", "json"]).optional(),
});
export type MerchantEntry = z.infer<typeof MERCHANT_ENTRY>;

/** The body of every JSON call: one encrypted parameter. */
export const SEALED_BODY = z.strictObject({ key: someText });

/** Payout parameters. The schema does not check which optional ones a currency needs. */
export const PAYOUT_REQUEST = z.strictObject({
  merchant_code: someText,
  transaction_code: someText,
  /** Unix time in seconds. */
  transaction_timestamp: z.string().regex(/^\d{1,12}$/),
  payout_code: someText,
  transaction_amount: someText,
  user_id: someText,
  currency_code: someText,
  account_name: someText,
  address: text.optional(),
  bank_account_number: text.optional(),
  ifsc_code: text.optional(),
  bank_code: text.optional(),
  bank_name: text.optional(),
  branch_code: text.optional(),
  callback_url: text.optional(),
  phone_number: text.optional(),
  /**
   * Not documented, but sent by every current client (gateway.md 2.2). payrun does not send
   * it.
   */
  ip_address: text.optional(),
});
export type PayoutRequest = z.infer<typeof PAYOUT_REQUEST>;

export const STATUS_REQUEST = z.strictObject({
  merchant_api_key: someText,
  transaction_code: someText,
});

/**
 * One record of a status answer. Loose, unlike the rest: the specification's own table lacks
 * `transaction_status`, so an additional field is no reason to doubt those that are read.
 */
export const STATUS_RECORD = z.looseObject({
  transaction_code: someText,
  amount: textOrNull,
  transaction_amount: textOrNull,
  currency_code: textOrNull,
  status: textOrNull,
  transaction_status: textOrNull,
  transaction_no: textOrNull,
  /** In any form: a fee that cannot be read must not hide the status of its payout. */
  transaction_fee: textOrNull.catch(({ value }) => JSON.stringify(value).slice(0, 100)),
  type: textOrNull,
});
export type StatusRecordMessage = z.infer<typeof STATUS_RECORD>;

/**
 * The body posted to a callback URL. The unencrypted fields prove nothing. The two that are
 * read must match the encrypted ones, and others are ignored.
 */
export const CALLBACK_BODY = z.object({
  /**
   * Ten times the size of a callback: every key of ours is tried on it, and anybody may send it.
   */
  key: someText,
  transaction_code: someText,
  transaction_no: textOrNull,
});

/**
 * The fields encrypted in the `key` of a callback: `transaction_ref` for a payout,
 * `transaction_actual_amount` for a deposit. Strict: a spliced text must not be accepted (F112).
 */
export const CALLBACK_FIELDS = z.strictObject({
  transaction_no: someText.optional(),
  transaction_code: someText,
  transaction_status: someText,
  transaction_amount: someText,
  transaction_fee: text.optional(),
  currency_code: someText,
  transaction_ref: text.optional(),
  transaction_actual_amount: text.optional(),
});
export type CallbackFields = z.infer<typeof CALLBACK_FIELDS>;
