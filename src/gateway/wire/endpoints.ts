/**
 * The operations of the gateway, one entry each (specification, Endpoints; gateway.md sections
 * 1.1 and 2). A new operation is a new entry; nothing else varies.
 */

/** The layout of the fields inside `key` before encryption. */
export type Layout = "name=value" | "json";

/**
 * Treatment of characters that `name=value` cannot contain: they are refused, or written as `%XX`.
 */
export type Escaping = "none" | "percent";

/**
 * Encoding of the encrypted text in the body: bare Base64, or Base64 with an additional
 * percent-encoding.
 */
export type TransportEncoding = "base64" | "percent";

export interface Endpoint {
  /** Path below the gateway's base address. `{merchant_code}` is replaced. */
  readonly path: string;
  /** Null: a GET, with the key in its query. */
  readonly contentType: "application/json" | "application/x-www-form-urlencoded" | null;
  readonly transport: TransportEncoding;
  readonly layout: Layout;
  /**
   * The order in the documentation's sample object. No signature depends on it, but it makes
   * requests comparable.
   */
  readonly fields: readonly string[];
  /** Fields written as exact numbers if the layout is JSON (gateway.md 2.2 and 3). */
  readonly numbers: readonly string[];
  /**
   * Fields that are never escaped: an issued key may contain `%3D` and is sent and hashed as issued
   * (docs/reference/gateway.md 1).
   */
  readonly verbatim: readonly string[];
}

const DEPOSIT = {
  path: "/api/{merchant_code}/v3/dopayment",
  contentType: "application/json",
  transport: "percent",
  layout: "name=value",
  fields: [
    "merchant_code",
    "merchant_api_key",
    "transaction_code",
    "transaction_timestamp",
    "transaction_amount",
    "payment_code",
    "user_id",
    "currency_code",
    "deposit_name",
    "identity_id",
    "phone",
    "bank_code",
    "callback_url",
  ],
  numbers: ["transaction_timestamp", "transaction_amount"],
  verbatim: ["merchant_api_key"],
} as const satisfies Endpoint;

/** An operation after a deposit: the code, and the payer's data. */
const followUp = (path: string, ...fields: readonly string[]) =>
  ({
    path,
    contentType: "application/json",
    transport: "percent",
    layout: "name=value",
    fields: ["transaction_code", ...fields],
    numbers: [],
    verbatim: [],
  }) as const satisfies Endpoint;

export const ENDPOINTS = {
  payout: {
    path: "/api/v1/payout/{merchant_code}",
    contentType: "application/json",
    transport: "percent",
    layout: "name=value",
    fields: [
      "merchant_code",
      "transaction_code",
      "transaction_timestamp",
      "payout_code",
      "transaction_amount",
      "user_id",
      "currency_code",
      "address",
      "bank_account_number",
      "ifsc_code",
      "bank_code",
      "bank_name",
      "branch_code",
      "account_name",
      "callback_url",
      "phone_number",
    ],
    numbers: ["transaction_timestamp", "transaction_amount"],
    verbatim: [],
  },
  status: {
    path: "/api/v1/{merchant_code}/transactions/status",
    contentType: "application/x-www-form-urlencoded",
    transport: "base64",
    layout: "name=value",
    fields: ["merchant_api_key", "transaction_code"],
    numbers: [],
    verbatim: ["merchant_api_key"],
  },
  deposit: DEPOSIT,
  /** Step 1 of a KRW deposit if it has its own path (docs/reference/gateway.md section 9). */
  krw_deposit: { ...DEPOSIT, path: "/api/{merchant_code}/v3/krw-payment" },
  krw_depositor: followUp(
    "/api/{merchant_code}/v3/krw-submit-information",
    "bank_code",
    "account_number",
  ),
  utr: followUp("/api/{merchant_code}/v3/submit-utr", "utr"),
  ref_no: followUp("/api/{merchant_code}/v3/submit-refno", "ref_no"),
  balance: {
    path: "/api/v1/balance/{merchant_code}",
    contentType: null,
    transport: "base64",
    layout: "name=value",
    fields: ["merchant_code"],
    numbers: [],
    verbatim: [],
  },
} satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** Returns the path of an endpoint for a merchant. */
export const pathOf = (operation: Endpoint, merchantCode: string): string =>
  operation.path.replace("{merchant_code}", encodeURIComponent(merchantCode));

/** Builds the request body, or the query, around an encrypted text (bare Base64). */
export function bodyOf(
  operation: Endpoint,
  sealed: string,
  transport: TransportEncoding = operation.transport,
): string {
  const key = transport === "percent" ? encodeURIComponent(sealed) : sealed;
  // Neither Base64 nor its percent-encoding contains a character that JSON escapes.
  return operation.contentType === "application/json"
    ? `{"key":"${key}"}`
    : `key=${encodeURIComponent(key)}`;
}
