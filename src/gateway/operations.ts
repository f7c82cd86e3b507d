/**
 * What the gateway can be asked, one line per operation (specification, Endpoints; docs/gateway.md
 * sections 1.1 and 2). A new operation (deposit, krw, balance) is a new entry; nothing else varies.
 */

/** How the fields are written inside `key` before they are sealed. */
export type Layout = "name=value" | "json";

/** How `name=value` treats characters that it cannot hold: refuses them, or writes them as `%XX`. */
export type Escaping = "none" | "percent";

/** What stands in the body for the sealed text: the bare Base64, or the Base64 percent-encoded once more. */
export type TransportEncoding = "base64" | "percent";

export interface Operation {
  /** Below the gateway's base address; `{merchant_code}` is filled in. */
  readonly path: string;
  readonly contentType: "application/json" | "application/x-www-form-urlencoded";
  readonly transport: TransportEncoding;
  readonly layout: Layout;
  /** The order of the documentation's sample object. No signature covers it; it makes requests comparable. */
  readonly fields: readonly string[];
  /** Written as exact numbers where the layout is JSON (docs/gateway.md 2.2 and 3). */
  readonly numbers: readonly string[];
  /** Never escaped: an issued key may itself hold `%3D` and is sent and hashed as issued (docs/gateway.md 1). */
  readonly verbatim: readonly string[];
}

export const OPERATIONS = {
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
    fields: ["merchant_api_key", "transaction_code"] as const,
    numbers: [],
    verbatim: ["merchant_api_key"],
  },
} satisfies Record<string, Operation>;

export const pathOf = (operation: Operation, merchantCode: string): string =>
  operation.path.replace("{merchant_code}", encodeURIComponent(merchantCode));

/** The request body around a sealed text (bare Base64). */
export function bodyOf(
  operation: Operation,
  sealed: string,
  transport: TransportEncoding = operation.transport,
): string {
  const key = transport === "percent" ? encodeURIComponent(sealed) : sealed;
  // Neither Base64 nor its percent-encoding holds a character that JSON escapes.
  return operation.contentType === "application/json"
    ? `{"key":"${key}"}`
    : `key=${encodeURIComponent(key)}`;
}
