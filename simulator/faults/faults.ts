import { REFUSAL_TEXTS } from "./texts.ts";

/** The action on the connection, or the answer, that replaces the correct answer. */
export type Reply =
  /** The connection is closed without a byte (`reset`: with a TCP reset). */
  | { readonly kind: "cut" }
  | { readonly kind: "reset" }
  /** The connection stays open without an answer. */
  | { readonly kind: "hang" }
  /** Sends the headers immediately, then one byte per `delay_ms` (default 1000). */
  | { readonly kind: "drip" }
  /** Sends the correct answer after `delay_ms` (default 2000). */
  | { readonly kind: "delay" }
  /**
   * The headers announce the full answer. Half of its body is sent, then the connection is closed.
   */
  | { readonly kind: "broken_off" }
  /** A complete HTTP answer whose body is half of the correct JSON. */
  | { readonly kind: "half_body" }
  /** 200 MB of spaces, for as long as the client reads them. */
  | { readonly kind: "huge" }
  | {
      readonly kind: "http";
      readonly status: number;
      readonly type: "application/json" | "text/html";
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/**
 * Endpoints that a rule may apply to. `status` and `callback` faults apply to both deposits and
 * payouts.
 */
export const FAULT_OPERATIONS = [
  "payout",
  "deposit",
  "krw_depositor",
  "reference",
  "balance",
] as const;
export type FaultOperation = (typeof FAULT_OPERATIONS)[number];

/** The step of a request at which a fault applies, and its effect. */
export type Fault = { readonly does: string } & (
  | { readonly at: "before"; readonly reply: Reply }
  | { readonly at: "refuse"; readonly code: string }
  | { readonly at: "after"; readonly reply: Reply }
  | { readonly at: "accept"; readonly how: AcceptFault }
  | { readonly at: "status"; readonly how: StatusFault | Reply }
  | { readonly at: "callback"; readonly how: CallbackFault }
);

export type AcceptFault = "late" | "other_payee" | "race" | "slow_store" | "forget" | "burn";
export type StatusFault =
  | "lag"
  | "unknown"
  | "wrong_amount"
  | "wrong_currency"
  | "contradiction"
  | "pending"
  | "manual"
  | "other_fee"
  | "odd_fee"
  | "zero"
  | "flip"
  | "reversed"
  | "backwards"
  | "failed"
  | "twins"
  | "rivals"
  | "stranger";
export type CallbackFault =
  | "late"
  | "repeated"
  | "reordered"
  | "forged"
  | "mismatched"
  | "lost"
  | "garbage"
  | "wrong_amount"
  | "name_value";

const json = (
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): Reply => ({
  kind: "http",
  status,
  type: "application/json",
  body: typeof body === "string" ? body : JSON.stringify(body),
  ...(headers ? { headers } : {}),
});
const html = (status: number, headers?: Readonly<Record<string, string>>): Reply => ({
  kind: "http",
  status,
  type: "text/html",
  body: `<!doctype html><html><body><h1>${status}</h1></body></html>`,
  ...(headers ? { headers } : {}),
});
const ODD = { success: true, message: "Your request is being looked at" };

/** One refusal per documented code: `code_113`, and so on. None accepts the request. */
const REFUSALS: Record<string, Fault> = Object.fromEntries(
  Object.keys(REFUSAL_TEXTS).map((code) => [
    `code_${code}`,
    { at: "refuse", code, does: "refuses the request with this error code" } as const,
  ]),
);

/** Every fault that a rules file may name. */
// biome-ignore format: the table is easier to read in columns
export const FAULTS: Readonly<Record<string, Fault>> = {
  ...REFUSALS,
  code_999:          { at: "refuse", code: "999", does: "refuses the request with an undocumented error code" },

  cut_before:        { at: "before", reply: { kind: "cut" },   does: "closes the connection without accepting the request" },
  reset_before:      { at: "before", reply: { kind: "reset" }, does: "resets the connection without accepting the request" },
  hang_before:       { at: "before", reply: { kind: "hang" },  does: "never responds and does not accept the request" },
  http_500_before:   { at: "before", reply: json(500, { message: "Server Error" }), does: "returns HTTP 500 without accepting the request" },
  http_502_before:   { at: "before", reply: html(502), does: "returns HTTP 502 with HTML without accepting the request" },
  http_503_before:   { at: "before", reply: html(503, { "retry-after": "5" }), does: "returns HTTP 503 with HTML without accepting the request" },
  http_429:          { at: "before", reply: json(429, { message: "Too Many Attempts." }, { "retry-after": "1" }), does: "returns HTTP 429 with Retry-After without accepting the request" },
  http_401:          { at: "before", reply: json(401, { message: "[WD] Unauthorize" }), does: "returns HTTP 401 without accepting the request" },
  http_403:          { at: "before", reply: html(403), does: "returns HTTP 403 with HTML without accepting the request" },
  redirect:          { at: "before", reply: html(302, { location: "/elsewhere" }), does: "returns HTTP 302 without accepting the request" },
  html_before:       { at: "before", reply: html(200), does: "returns HTTP 200 with HTML without accepting the request" },
  empty_before:      { at: "before", reply: json(200, ""), does: "returns HTTP 200 with an empty body without accepting the request" },
  odd_before:        { at: "before", reply: json(200, ODD), does: "returns `success: true` with an unknown message without accepting the request" },

  cut_after:         { at: "after", reply: { kind: "cut" },   does: "accepts, then closes the connection without a response" },
  reset_after:       { at: "after", reply: { kind: "reset" }, does: "accepts, then resets the connection" },
  hang_after:        { at: "after", reply: { kind: "hang" },  does: "accepts and never responds" },
  slow:              { at: "after", reply: { kind: "delay" }, does: "accepts the request immediately and responds after delay_ms" },
  drip:              { at: "after", reply: { kind: "drip" },  does: "accepts and sends one byte of the response every delay_ms" },
  huge:              { at: "after", reply: { kind: "huge" },  does: "accepts and returns 200 MB of spaces" },
  broken_off:        { at: "after", reply: { kind: "broken_off" }, does: "accepts, then closes the connection in the middle of the response body" },
  truncated:         { at: "after", reply: { kind: "half_body" },  does: "accepts and returns half of the JSON in a complete HTTP response" },
  http_500_after:    { at: "after", reply: json(500, { message: "Server Error" }), does: "accepts and returns HTTP 500" },
  http_502_after:    { at: "after", reply: html(502), does: "accepts and returns HTTP 502 with HTML" },
  http_429_after:    { at: "after", reply: json(429, { message: "Too Many Attempts." }, { "retry-after": "1" }), does: "accepts and returns HTTP 429" },
  html_after:        { at: "after", reply: html(200), does: "accepts and returns HTTP 200 with HTML" },
  empty_after:       { at: "after", reply: json(200, ""), does: "accepts and returns HTTP 200 with an empty body" },
  odd_after:         { at: "after", reply: json(200, ODD), does: "accepts and returns `success: true` with an unknown message" },
  code_123_after:    { at: "after", reply: json(200, { success: true, message: REFUSAL_TEXTS["123"] }), does: "accepts but returns error code 123" },

  late_arrival:      { at: "accept", how: "late",        does: "closes the connection, then accepts the request after delay_ms, as if a proxy had delayed it" },
  other_payee:       { at: "accept", how: "other_payee", does: "refuses the request with error 111 because another client has used the code for a different amount and account" },
  race:              { at: "accept", how: "race",        does: "accepts a code that was already accepted, to test whether your checks detect the double payment" },
  slow_store:        { at: "accept", how: "slow_store",  does: "checks the code, but stores it and responds only after delay_ms; until then, status queries do not find the code, and a second request is not treated as a duplicate" },
  forget:            { at: "accept", how: "forget",      does: "accepts the request, but forgets its code after delay_ms; from then on, status queries do not find the code, and a second request is not treated as a duplicate" },
  burn:              { at: "accept", how: "burn",        does: "refuses the request with error 112 but marks the code as used; later requests are refused with error 111, and status queries do not find the code" },

  status_lag:            { at: "status", how: "lag",           does: 'returns "not found" until delay_ms after acceptance' },
  status_unknown:        { at: "status", how: "unknown",       does: 'always returns "not found"' },
  status_wrong_amount:   { at: "status", how: "wrong_amount",  does: "reports a different amount" },
  status_wrong_currency: { at: "status", how: "wrong_currency", does: "reports a different currency" },
  status_contradiction:  { at: "status", how: "contradiction", does: "reports the status as pending in text but as completed in the numeric code" },
  status_pending:        { at: "status", how: "pending",       does: "always reports pending" },
  status_manual:         { at: "status", how: "manual",        does: "reports state 4 (manual process)" },
  status_other_fee:      { at: "status", how: "other_fee",     does: "once the state is final, reports the fee once, then a different one" },
  status_odd_fee:        { at: "status", how: "odd_fee",       does: "reports a fee that is not a number" },
  status_zero:           { at: "status", how: "zero",          does: "reports state 0, which is undefined" },
  status_failed:         { at: "status", how: "failed",        does: "reports failed, regardless of the transaction log" },
  status_flip:           { at: "status", how: "flip",          does: "once the state is final, alternates between completed and failed, starting with completed" },
  status_reversed:       { at: "status", how: "reversed",      does: "once the state is final, reports completed once, then failed" },
  status_backwards:      { at: "status", how: "backwards",     does: "once the state is final, reports completed once, then pending" },
  status_twins:          { at: "status", how: "twins",         does: "returns the same record twice" },
  status_rivals:         { at: "status", how: "rivals",        does: "returns two different records for the same code" },
  status_stranger:       { at: "status", how: "stranger",      does: "returns only a record for another code" },
  status_garbage:        { at: "status", how: json(200, '{"data":[{"transac'), does: "returns half of the JSON" },
  status_html:           { at: "status", how: html(200), does: "returns HTTP 200 with HTML" },
  status_500:            { at: "status", how: json(500, { message: "Server Error" }), does: "returns HTTP 500" },
  status_401:            { at: "status", how: json(401, { message: "Unauthorize" }), does: "returns HTTP 401" },
  status_115:            { at: "status", how: json(200, { success: false, data: [], message: REFUSAL_TEXTS["115"] }), does: "returns error code 115" },
  status_cut:            { at: "status", how: { kind: "cut" },  does: "closes the connection" },
  status_hang:           { at: "status", how: { kind: "hang" }, does: "never responds" },
  status_slow:           { at: "status", how: { kind: "delay" }, does: "responds after delay_ms" },

  callback_late:         { at: "callback", how: "late",         does: "sends the callback after an additional delay_ms" },
  callback_repeated:     { at: "callback", how: "repeated",     does: "sends the callback three times" },
  callback_reordered:    { at: "callback", how: "reordered",    does: 'sends an earlier "pending" callback after the final one' },
  callback_forged:       { at: "callback", how: "forged",       does: "encrypts the callback with the wrong key" },
  callback_mismatched:   { at: "callback", how: "mismatched",   does: "sends an unencrypted transaction code that differs from the encrypted one" },
  callback_lost:         { at: "callback", how: "lost",         does: "never sends the callback" },
  callback_garbage:      { at: "callback", how: "garbage",      does: "sends a body that is not a callback" },
  callback_wrong_amount: { at: "callback", how: "wrong_amount", does: "reports a different amount" },
  callback_name_value:   { at: "callback", how: "name_value",   does: "swaps the layouts of the encrypted text: `name=value` for a payout, JSON for a deposit" },
};
