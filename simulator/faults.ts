import { REFUSAL_TEXTS } from "./texts.ts";

/** What is done to the connection or written to it instead of the proper answer. */
export type Reply =
  /** The connection is closed without a byte (`reset`: with a TCP reset). */
  | { readonly kind: "cut" }
  | { readonly kind: "reset" }
  /** The connection stays open without an answer. */
  | { readonly kind: "hang" }
  /** Headers immediately, then one byte per `delay_ms` (default 1000). */
  | { readonly kind: "drip" }
  /** The proper answer after `delay_ms` (default 2000). */
  | { readonly kind: "delay" }
  /** The headers promise the proper answer. Half of it is sent, then the connection is closed. */
  | { readonly kind: "broken_off" }
  /** A complete HTTP answer that contains half of the proper body. */
  | { readonly kind: "half_body" }
  /** 200 MB of blanks, as long as the client reads them. */
  | { readonly kind: "huge" }
  | {
      readonly kind: "http";
      readonly status: number;
      readonly type: "application/json" | "text/html";
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** Endpoints that a rule may apply to. `status` and `callback` faults strike deposits and payouts alike. */
export const FAULT_OPERATIONS = [
  "payout",
  "deposit",
  "krw_depositor",
  "reference",
  "balance",
] as const;
export type FaultOperation = (typeof FAULT_OPERATIONS)[number];

/** Where a fault strikes, and its effect. */
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
    { at: "refuse", code, does: "refuses with this error code" } as const,
  ]),
);

/** Every fault that a rules file may name. A new fault is a new line here and a line in docs/simulator.md. */
// biome-ignore format: the columns are the point
export const FAULTS: Readonly<Record<string, Fault>> = {
  ...REFUSALS,
  code_999:          { at: "refuse", code: "999", does: "refuses with a code that no document has" },

  cut_before:        { at: "before", reply: { kind: "cut" },   does: "closes the connection, accepts nothing" },
  reset_before:      { at: "before", reply: { kind: "reset" }, does: "resets the connection, accepts nothing" },
  hang_before:       { at: "before", reply: { kind: "hang" },  does: "never answers, accepts nothing" },
  http_500_before:   { at: "before", reply: json(500, { message: "Server Error" }), does: "HTTP 500, accepts nothing" },
  http_502_before:   { at: "before", reply: html(502), does: "HTTP 502 with HTML, accepts nothing" },
  http_503_before:   { at: "before", reply: html(503, { "retry-after": "5" }), does: "HTTP 503 with HTML, accepts nothing" },
  http_429:          { at: "before", reply: json(429, { message: "Too Many Attempts." }, { "retry-after": "1" }), does: "HTTP 429 with Retry-After, accepts nothing" },
  http_401:          { at: "before", reply: json(401, { message: "[WD] Unauthorize" }), does: "HTTP 401, accepts nothing" },
  http_403:          { at: "before", reply: html(403), does: "HTTP 403 with HTML, accepts nothing" },
  redirect:          { at: "before", reply: html(302, { location: "/elsewhere" }), does: "HTTP 302, accepts nothing" },
  html_before:       { at: "before", reply: html(200), does: "HTML with 200, accepts nothing" },
  empty_before:      { at: "before", reply: json(200, ""), does: "an empty body with 200, accepts nothing" },
  odd_before:        { at: "before", reply: json(200, ODD), does: "an unknown message with success true, accepts nothing" },

  cut_after:         { at: "after", reply: { kind: "cut" },   does: "accepts, then closes the connection without an answer" },
  reset_after:       { at: "after", reply: { kind: "reset" }, does: "accepts, then resets the connection" },
  hang_after:        { at: "after", reply: { kind: "hang" },  does: "accepts and never answers" },
  slow:              { at: "after", reply: { kind: "delay" }, does: "accepts at once, answers after delay_ms" },
  drip:              { at: "after", reply: { kind: "drip" },  does: "accepts, answers one byte per delay_ms" },
  huge:              { at: "after", reply: { kind: "huge" },  does: "accepts, answers 200 MB of blanks" },
  broken_off:        { at: "after", reply: { kind: "broken_off" }, does: "accepts, the connection ends in the middle of the body" },
  truncated:         { at: "after", reply: { kind: "half_body" },  does: "accepts, answers half of the JSON as a complete HTTP body" },
  http_500_after:    { at: "after", reply: json(500, { message: "Server Error" }), does: "accepts, then HTTP 500" },
  http_502_after:    { at: "after", reply: html(502), does: "accepts, then HTTP 502 with HTML" },
  http_429_after:    { at: "after", reply: json(429, { message: "Too Many Attempts." }, { "retry-after": "1" }), does: "accepts, then HTTP 429" },
  html_after:        { at: "after", reply: html(200), does: "accepts, then HTML with 200" },
  empty_after:       { at: "after", reply: json(200, ""), does: "accepts, then an empty body with 200" },
  odd_after:         { at: "after", reply: json(200, ODD), does: "accepts, then an unknown message with success true" },
  code_123_after:    { at: "after", reply: json(200, { success: true, message: REFUSAL_TEXTS["123"] }), does: "accepts although it answers error code 123" },

  late_arrival:      { at: "accept", how: "late",        does: "closes the connection, accepts after delay_ms (a request that sat in a proxy)" },
  other_payee:       { at: "accept", how: "other_payee", does: "the code is somebody else's already, with another amount and payee: 111" },
  race:              { at: "accept", how: "race",        does: "accepts a code that it has accepted before (for proving checkers)" },
  slow_store:        { at: "accept", how: "slow_store",  does: "checks the code, works for delay_ms, only then stores it and answers: meanwhile it is not found, and not a duplicate" },
  forget:            { at: "accept", how: "forget",      does: "accepts, and forgets the code after delay_ms: not found, and not a duplicate" },
  burn:              { at: "accept", how: "burn",        does: "refuses with 112, and the code is used up: 111 from then on, not found by status" },

  status_lag:            { at: "status", how: "lag",           does: "not found until delay_ms after acceptance" },
  status_unknown:        { at: "status", how: "unknown",       does: "not found for ever" },
  status_wrong_amount:   { at: "status", how: "wrong_amount",  does: "another amount" },
  status_wrong_currency: { at: "status", how: "wrong_currency", does: "another currency" },
  status_contradiction:  { at: "status", how: "contradiction", does: "the text says pending, the number says completed" },
  status_pending:        { at: "status", how: "pending",       does: "pending for ever" },
  status_manual:         { at: "status", how: "manual",        does: "4, manual process" },
  status_zero:           { at: "status", how: "zero",          does: "0, which is not defined" },
  status_failed:         { at: "status", how: "failed",        does: "failed, whatever the book says" },
  status_flip:           { at: "status", how: "flip",          does: "once final: completed and failed in turns, completed first" },
  status_reversed:       { at: "status", how: "reversed",      does: "once final: completed at first, failed from the second query on" },
  status_backwards:      { at: "status", how: "backwards",     does: "once final: completed at first, pending from the second query on" },
  status_twins:          { at: "status", how: "twins",         does: "the same record twice" },
  status_rivals:         { at: "status", how: "rivals",        does: "two records of the code that differ" },
  status_stranger:       { at: "status", how: "stranger",      does: "a record of another code alone" },
  status_garbage:        { at: "status", how: json(200, '{"data":[{"transac'), does: "half a JSON text" },
  status_html:           { at: "status", how: html(200), does: "HTML with 200" },
  status_500:            { at: "status", how: json(500, { message: "Server Error" }), does: "HTTP 500" },
  status_401:            { at: "status", how: json(401, { message: "Unauthorize" }), does: "HTTP 401" },
  status_115:            { at: "status", how: json(200, { success: false, data: [], message: REFUSAL_TEXTS["115"] }), does: "error code 115" },
  status_cut:            { at: "status", how: { kind: "cut" },  does: "closes the connection" },
  status_hang:           { at: "status", how: { kind: "hang" }, does: "never answers" },
  status_slow:           { at: "status", how: { kind: "delay" }, does: "answers after delay_ms" },

  callback_late:         { at: "callback", how: "late",         does: "sent delay_ms late" },
  callback_repeated:     { at: "callback", how: "repeated",     does: "sent three times" },
  callback_reordered:    { at: "callback", how: "reordered",    does: "an older pending callback comes after the final one" },
  callback_forged:       { at: "callback", how: "forged",       does: "sealed with a wrong key" },
  callback_mismatched:   { at: "callback", how: "mismatched",   does: "the clear code is not the sealed one" },
  callback_lost:         { at: "callback", how: "lost",         does: "never sent" },
  callback_garbage:      { at: "callback", how: "garbage",      does: "a body that is no callback" },
  callback_wrong_amount: { at: "callback", how: "wrong_amount", does: "another amount" },
  callback_name_value:   { at: "callback", how: "name_value",   does: "the other layout inside: name=value for a payout, JSON for a deposit" },
};
