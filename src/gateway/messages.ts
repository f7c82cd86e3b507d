import { z } from "zod";
import { CURRENCY_CODE } from "#money/currency.ts";

/** The shapes of what goes over the wire (specification, Resources; docs/gateway.md sections 6 to 8). */

const text = z.string().max(4096);
const someText = text.min(1);
/** Numbers arrive as the text they were written in (json.ts). */
const textOrNull = text.nullish();

/** A segment of a path, which `.` and `..` are not; the provider chooses it. */
export const MERCHANT_CODE = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/;
export const MERCHANT_CODE_FORM = "letters, digits, _, - and . (which is not the first)";

/** One entry of the merchants file: the credentials of one merchant and the currencies it pays. */
export const MERCHANT_ENTRY = z.strictObject({
  currencies: z
    .array(z.string().regex(CURRENCY_CODE, "an upper-case currency code such as INR"))
    .min(1),
  merchant_code: z.string().regex(MERCHANT_CODE, MERCHANT_CODE_FORM),
  api_key: z.string().min(1),
  api_secret: z.string().min(1),
  payout_code: z.string().min(1),
  /** Further payout codes of this merchant, which rows of a file may name instead. */
  payout_codes: z.array(z.string().min(1)).max(100).optional(),
  /** Of deposits; who takes none has none. */
  payment_code: z.string().min(1).optional(),
  /** How the payouts of this merchant are written; without it, as GATEWAY_PAYOUT_LAYOUT says. */
  payout_layout: z.enum(["name=value", "json"]).optional(),
});
export type MerchantEntry = z.infer<typeof MERCHANT_ENTRY>;

/** The body of every JSON call: one sealed parameter. */
export const SEALED_BODY = z.strictObject({ key: someText });

/** Payout parameters. Which of the optional ones a currency needs is not the schema's affair. */
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
  /** Not documented, sent by every current client (docs/gateway.md 2.2). payrun does not send it. */
  ip_address: text.optional(),
});
export type PayoutRequest = z.infer<typeof PAYOUT_REQUEST>;

export const STATUS_REQUEST = z.strictObject({
  merchant_api_key: someText,
  transaction_code: someText,
});

/**
 * One record of a status answer. Loose, unlike the rest: the specification's own table lacks
 * `transaction_status`, so a further field is no reason to doubt the ones that are read.
 */
export const STATUS_RECORD = z.looseObject({
  transaction_code: someText,
  amount: textOrNull,
  transaction_amount: textOrNull,
  currency_code: textOrNull,
  status: textOrNull,
  transaction_status: textOrNull,
  transaction_no: textOrNull,
  transaction_fee: textOrNull,
  type: textOrNull,
});
export type StatusRecordMessage = z.infer<typeof STATUS_RECORD>;

/**
 * What is posted to a callback address. The clear fields prove nothing; the two that are read must agree with the sealed ones,
 * and further ones are as good as absent.
 */
export const CALLBACK_BODY = z.object({
  /** Ten times what a callback holds: every key of ours is tried on it, and anybody may send it. */
  key: someText,
  transaction_code: someText,
  transaction_no: textOrNull,
});

/**
 * What a callback's `key` holds: `transaction_ref` for a payout, `transaction_actual_amount` for a deposit. Strict: a
 * spliced text must not pass for one (F112).
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
