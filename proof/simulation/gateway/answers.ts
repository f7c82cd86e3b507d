import type { Reply } from "#gateway/wire/transport.ts";

/**
 * Failures that the caller gets instead of an answer: silence until its deadline, a reset, or no
 * connection.
 */
export type Wire = "hang" | "reset" | "unreachable";

export interface GatewayBehaviour {
  /** Whether the payout is accepted. */
  readonly accepts: boolean;
  /** Null: the proper answer. */
  readonly reply: Reply | Wire | null;
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
  readonly isSetupError?: boolean;
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
  accepted:           { accepts: true,  reply: null },
  unreachable:        { accepts: false, reply: "unreachable" },
  reset_before:       { accepts: false, reply: "reset" },
  reset_after:        { accepts: true,  reply: "reset" },
  hang_before:        { accepts: false, reply: "hang" },
  hang_after:         { accepts: true,  reply: "hang" },
  slow_answer:        { accepts: true,  reply: null, slow: "answer" },
  late_arrival:       { accepts: true,  reply: "hang", slow: "arrival" },
  late_after_reset:   { accepts: true,  reply: "reset", slow: "arrival" },
  works_first:        { accepts: true,  reply: null, works: true },
  works_after_reset:  { accepts: true,  reply: "reset", works: true },
  handed_over_twice:  { accepts: true,  reply: null, twice: true },
  truncated:          { accepts: true,  reply: reply(200, '{"success":true,"mess') },
  empty:              { accepts: true,  reply: reply(200, "") },
  html_before:        { accepts: false, reply: reply(200, HTML) },
  html_after:         { accepts: true,  reply: reply(200, HTML) },
  odd_before:         { accepts: false, reply: ODD },
  odd_after:          { accepts: true,  reply: ODD },
  http_302:           { accepts: false, reply: reply(302, "") },
  http_401:           { accepts: false, reply: json(401, { message: "[WD] Unauthorize" }), isSetupError: true },
  http_403:           { accepts: false, reply: reply(403, HTML) },
  http_429_before:    { accepts: false, reply: reply(429, "{}", "7") },
  http_429_after:     { accepts: true,  reply: reply(429, "{}", "3") },
  http_500_before:    { accepts: false, reply: json(500, { message: "Server Error" }) },
  http_500_after:     { accepts: true,  reply: json(500, { message: "Server Error" }) },
  http_502_after:     { accepts: true,  reply: reply(502, HTML) },
  http_503_before:    { accepts: false, reply: reply(503, HTML, "5") },
  code_109:           { accepts: false, reply: code("109", "Incomplete parameter!"), declines: true },
  code_121:           { accepts: false, reply: code("121", "Withdraw Bank not found!"), declines: true },
  code_122_newer:     { accepts: false, reply: newer("122"), declines: true },
  code_110:           { accepts: false, reply: code("110", "Payout Method Not Available"), isSetupError: true },
  code_112:           { accepts: false, reply: STALE },
  code_113:           { accepts: false, reply: code("113", "Currency rate is not supported at this moment!") },
  code_115:           { accepts: false, reply: UNKNOWN_MERCHANT, isSetupError: true },
  code_116:           { accepts: false, reply: code("116", "Payout method is under maintenance!") },
  code_117_before:    { accepts: false, reply: code("117", "Server error for this payout method!") },
  code_117_after:     { accepts: true,  reply: code("117", "Server error for this payout method!") },
  code_118:           { accepts: false, reply: UNREADABLE_KEY, isSetupError: true },
  code_119:           { accepts: false, reply: code("119", "Insufficient Balance!") },
  code_123_before:    { accepts: false, reply: code("123", "Request Withdrawal Failed! Please Try Again") },
  code_123_after:     { accepts: true,  reply: code("123", "Request Withdrawal Failed! Please Try Again") },
  code_124:           { accepts: false, reply: code("124", "Your IP address has been blocked"), isSetupError: true },
  code_131_after:     { accepts: true,  reply: code("131", "There are problem to connect payout account") },
  code_999_after:     { accepts: true,  reply: code("999", "Try again") },
  known_other_amount: { accepts: false, reply: DUPLICATE, known: "other_amount" },
  known_same_amount:  { accepts: false, reply: DUPLICATE, known: "same_amount" },
  burned:             { accepts: false, reply: STALE, known: "burned" },
} as const satisfies Record<string, GatewayBehaviour>;

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
  reversed: [3, "reversed"],
} as const;

/** A final state in a status record. */
export type FinalWord = Exclude<keyof typeof WORDS, "pending">;

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
