import type { Reply } from "#gateway/wire/transport.ts";

/**
 * Failures that the caller gets instead of an answer: silence until its deadline, a reset, or no
 * connection.
 */
export type Wire = "hang" | "reset" | "unreachable";

export interface Misbehaviour {
  /** Whether the payout is accepted. */
  readonly takes: boolean;
  /** Null: the proper answer. */
  readonly says: Reply | Wire | null;
  /** The proper answer comes after the caller's deadline; the request arrives long after it. */
  readonly slow?: "answer" | "arrival";
  /**
   * The gateway checks the code, works, and stores the code last. A second request with it
   * meanwhile is accepted as well.
   */
  readonly works?: true;
  /** The network delivers the request twice. */
  readonly twice?: boolean;
  /**
   * The code is already known: another client's, with a different or the same amount; or used up by
   * this refusal.
   */
  readonly known?: "other_amount" | "same_amount" | "burned";
  /** The gateway answers 109, 120 and similar: a final refusal. */
  readonly declines?: boolean;
  /** The answer blames our setup, which only a person can fix. */
  readonly blamesSetUp?: boolean;
}

const reply = (status: number, body: string, retryAfter?: string): Reply => ({
  status,
  body,
  headers: retryAfter ? { "retry-after": retryAfter } : {},
});
const json = (status: number, body: unknown) => reply(status, JSON.stringify(body));
const HTML = "<!doctype html><html><body><h1>Maintenance</h1></body></html>";
const code = (number: string, says: string) =>
  json(200, { success: true, message: `[WD] ${says}, error code ${number}` });

export const ACCEPTED = json(200, { success: true, message: "request withdraw successful" });
export const DUPLICATE = code("111", "Invalid Transaction Code ( not unique )!");
export const STALE = code("112", "Invalid Timestamp!");
export const UNKNOWN_MERCHANT = code("115", "Invalid Key / Merchant code!");
export const UNREADABLE_KEY = code("118", "Format Key parameter invalid!");
const ODD = json(200, { success: true, message: "Your request is being looked at" });
const newer = (number: string) =>
  json(400, { message: "refused", error: { code: number, message: `error code ${number}` } });

/**
 * Every way in which one payout request can go wrong at the gateway or on the way. A new one is a
 * new line.
 */
// biome-ignore format: the table is easier to read in columns
export const SUBMIT = {
  accepted:           { takes: true,  says: null },
  unreachable:        { takes: false, says: "unreachable" },
  reset_before:       { takes: false, says: "reset" },
  reset_after:        { takes: true,  says: "reset" },
  hang_before:        { takes: false, says: "hang" },
  hang_after:         { takes: true,  says: "hang" },
  slow_answer:        { takes: true,  says: null, slow: "answer" },
  late_arrival:       { takes: true,  says: "hang", slow: "arrival" },
  late_after_reset:   { takes: true,  says: "reset", slow: "arrival" },
  works_first:        { takes: true,  says: null, works: true },
  works_after_reset:  { takes: true,  says: "reset", works: true },
  handed_over_twice:  { takes: true,  says: null, twice: true },
  truncated:          { takes: true,  says: reply(200, '{"success":true,"mess') },
  empty:              { takes: true,  says: reply(200, "") },
  html_before:        { takes: false, says: reply(200, HTML) },
  html_after:         { takes: true,  says: reply(200, HTML) },
  odd_before:         { takes: false, says: ODD },
  odd_after:          { takes: true,  says: ODD },
  http_302:           { takes: false, says: reply(302, "") },
  http_401:           { takes: false, says: json(401, { message: "[WD] Unauthorize" }), blamesSetUp: true },
  http_403:           { takes: false, says: reply(403, HTML) },
  http_429_before:    { takes: false, says: reply(429, "{}", "7") },
  http_429_after:     { takes: true,  says: reply(429, "{}", "3") },
  http_500_before:    { takes: false, says: json(500, { message: "Server Error" }) },
  http_500_after:     { takes: true,  says: json(500, { message: "Server Error" }) },
  http_502_after:     { takes: true,  says: reply(502, HTML) },
  http_503_before:    { takes: false, says: reply(503, HTML, "5") },
  code_109:           { takes: false, says: code("109", "Incomplete parameter!"), declines: true },
  code_121:           { takes: false, says: code("121", "Withdraw Bank not found!"), declines: true },
  code_122_newer:     { takes: false, says: newer("122"), declines: true },
  code_110:           { takes: false, says: code("110", "Payout Method Not Available"), blamesSetUp: true },
  code_112:           { takes: false, says: STALE },
  code_113:           { takes: false, says: code("113", "Currency rate is not supported at this moment!") },
  code_115:           { takes: false, says: UNKNOWN_MERCHANT, blamesSetUp: true },
  code_116:           { takes: false, says: code("116", "Payout method is under maintenance!") },
  code_117_before:    { takes: false, says: code("117", "Server error for this payout method!") },
  code_117_after:     { takes: true,  says: code("117", "Server error for this payout method!") },
  code_118:           { takes: false, says: UNREADABLE_KEY, blamesSetUp: true },
  code_119:           { takes: false, says: code("119", "Insufficient Balance!") },
  code_123_before:    { takes: false, says: code("123", "Request Withdrawal Failed! Please Try Again") },
  code_123_after:     { takes: true,  says: code("123", "Request Withdrawal Failed! Please Try Again") },
  code_124:           { takes: false, says: code("124", "Your IP address has been blocked"), blamesSetUp: true },
  code_131_after:     { takes: true,  says: code("131", "There are problem to connect payout account") },
  code_999_after:     { takes: true,  says: code("999", "Try again") },
  known_other_amount: { takes: false, says: DUPLICATE, known: "other_amount" },
  known_same_amount:  { takes: false, says: DUPLICATE, known: "same_amount" },
  burned:             { takes: false, says: STALE, known: "burned" },
} as const satisfies Record<string, Misbehaviour>;

export type SubmitFault = keyof typeof SUBMIT;

/** A false value in a status answer, or another reply or silence instead. */
export type Distortion =
  | Reply
  | Wire
  | "slow"
  | "not_found"
  | "pending"
  | "number_and_word"
  | "zero"
  | "manual"
  | "other_amount"
  | "next_amount"
  | "other_currency"
  | "twins"
  | "rivals"
  | "stranger"
  | "failed";

// biome-ignore format: the table is easier to read in columns
export const STATUS: Readonly<Record<string, Distortion>> = {
  status_not_found:      "not_found",
  status_pending:        "pending",
  status_number_and_word: "number_and_word",
  status_zero:           "zero",
  status_manual:         "manual",
  status_other_amount:   "other_amount",
  status_next_amount:    "next_amount",
  status_other_currency: "other_currency",
  status_twins:          "twins",
  status_rivals:         "rivals",
  status_stranger:       "stranger",
  status_unreachable:    "unreachable",
  status_reset:          "reset",
  status_hang:           "hang",
  status_slow:           "slow",
  status_html:           reply(200, HTML),
  status_truncated:      reply(200, '{"data":[{"transac'),
  status_empty:          reply(200, ""),
  status_500:            json(500, { message: "Server Error" }),
  status_429:            reply(429, "{}", "3"),
  /** A contradiction: reported as failed, but paid. */
  status_lies:           "failed",
  status_115:            json(200, { success: false, data: [], message: "[WD] Invalid Key!, error code 115" }),
};

const WORDS = {
  pending: [1, "pending"],
  completed: [2, "completed"],
  failed: [3, "failed"],
} as const;

interface Shown {
  readonly code: string;
  readonly amount: string;
  readonly currency: string;
  readonly number: string;
}

/** The correct record of a code. */
export function statusRecord(entry: Shown, truth: keyof typeof WORDS): string {
  const [number, word] = WORDS[truth];
  return recordText(entry, number, word);
}

/** The amount as a JSON number with exactly the digits that were sent. */
const recordText = (
  { code, amount, currency, number }: Shown,
  state: number,
  word: string,
): string =>
  `{"amount":${amount},"transaction_fee":0,"currency_code":"${currency}","status":"${word}","transaction_status":${state},"transaction_code":"${code}","transaction_no":"${number}","type":"payout"}`;

/** The records in the answer to a status query, altered by the fault. */
export function recordsOf(
  entry: Shown,
  truth: keyof typeof WORDS,
  how: Distortion | undefined,
): readonly string[] {
  if (how === "pending" || how === "failed") return [statusRecord(entry, how)];
  if (how === "number_and_word") return [recordText(entry, 2, "pending")];
  if (how === "zero") return [recordText(entry, 0, "pending")];
  if (how === "manual") return [recordText(entry, 4, "manual process")];
  if (how === "other_amount")
    return [statusRecord({ ...entry, amount: `9${entry.amount}` }, truth)];
  if (how === "next_amount") {
    const amount = entry.amount.replace(/.$/, (digit) => `${(Number(digit) + 1) % 10}`);
    return [statusRecord({ ...entry, amount }, truth)];
  }
  if (how === "other_currency") return [statusRecord({ ...entry, currency: "XTS" }, truth)];
  if (how === "stranger") return [statusRecord({ ...entry, code: `${entry.code}X` }, "completed")];
  const record = statusRecord(entry, truth);
  if (how === "twins") return [record, record];
  if (how === "rivals") return [record, statusRecord({ ...entry, number: "WD0" }, "failed")];
  return [record];
}

/** Answers a status query with these records, which are JSON texts. */
export const statusReply = (records: readonly string[]): Reply =>
  reply(
    200,
    `{"data":[${records.join(",")}],"message":"Request transaction list successful","success":true}`,
  );

/** Answer to an unknown code, which no document describes (F119). */
export const NOT_FOUND: readonly Reply[] = [
  json(200, { success: true, data: [], message: "Request transaction list successful" }),
  json(200, { success: false, data: [], message: "Transaction not found" }),
  json(404, { message: "Transaction not found" }),
];
