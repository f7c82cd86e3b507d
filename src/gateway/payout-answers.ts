import { ERROR_CODES, type CodeMeaning } from "./error-codes.ts";
import type { Outcome, NotAcceptedOutcome } from "#payout/outcome.ts";
import { type JsonObject, parseObject } from "#gateway/wire/json.ts";
import { isFailureWord } from "./not-found.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";

/** One complete HTTP answer, reduced to the parts that are read. */
export interface HttpAnswer {
  readonly status: number;
  /** Null: the body is not text, because it was compressed although that was not requested. */
  readonly body: string | null;
  /** The gateway's clock minus ours in milliseconds, from its `Date` header. Null: no header. */
  readonly dateOffsetMs: number | null;
  /** The pause in milliseconds that it asks for in its `Retry-After` header. */
  readonly retryAfterMs?: number | null;
}

export interface ReadAnswer<O = Outcome> {
  readonly outcome: O;
  readonly code: string | null;
  /** The message of the answer, not redacted yet. */
  readonly message: string;
}

/** The differences between the answers to one kind of request and all others. */
export interface Dialect<Taken> {
  readonly meanings: Readonly<Record<string, CodeMeaning>>;
  /** Returns the code of a message that contains none. */
  readonly codeOfMessage?: (message: string) => string | null;
  /**
   * Returns whether the answer reports acceptance. Together with an error code it contradicts
   * itself.
   */
  readonly reportsAcceptance: (body: JsonObject, message: string) => boolean;
  /** Reads the result of a 2xx answer without a code. Null: it does not report acceptance. */
  readonly readAccepted: (body: JsonObject, message: string) => Taken | NotAcceptedOutcome | null;
}

const ACCEPTED = "request withdraw successful";
const PREFIX = /^\[WD\]\s*/i;

const PAYOUT_DIALECT: Dialect<{ readonly kind: "accepted" }> = {
  meanings: ERROR_CODES,
  reportsAcceptance: (_body, message) => message.toLowerCase().includes(ACCEPTED),
  readAccepted: (_body, message) =>
    message.trim().replace(PREFIX, "").toLowerCase() === ACCEPTED ? { kind: "accepted" } : null,
};
/**
 * Matches a code that is a whole number: the 120 of "120.5" is not a code. There are never two
 * `\s*` in a row, which would backtrack through every split of a long run of spaces.
 */
const CODE_IN_TEXT = /error\s+code\s*(?::\s*)?\d+(?!\d|[.,]\d)/gi;
/** Matches a code where documented messages have it: at the end, separated from the words. */
const STATED_CODE = /(?:^|[^\p{L}\p{N}\s]\s*)error\s+code\s*(?::\s*)?\d+[^\p{L}\p{N}]*$/iu;
const THREE_DIGITS = /^\d{3}$/;
/** Above this clock difference, a refused timestamp is the fault of a clock, not the network. */
const CLOCK_OFFSET_MAX_MS = 60_000;

/**
 * Reads an answer to a payout request. `success` is ignored, because refusals contain true as well.
 * Only a complete JSON body with 2xx or 4xx is conclusive; with 5xx, a documented refusal is (F39).
 */
export const readPayoutAnswer = (answer: HttpAnswer): ReadAnswer =>
  readAnswer(answer, PAYOUT_DIALECT);

/** Returns 2 for 200 to 299 etc., but 0 for 206, a partial answer: the rest may contradict it. */
export const statusClass = (status: number): number =>
  status === 206 ? 0 : Math.trunc(status / 100);

/** Reads an answer to any request that moves something. Codes outside its dialect mean doubt. */
export function readAnswer<Taken>(
  answer: HttpAnswer,
  dialect: Dialect<Taken>,
): ReadAnswer<Taken | NotAcceptedOutcome> {
  const said = judgeAnswer(answer, dialect);
  return answer.status === 429 ? throttledAnswer(said, answer) : said;
}

function judgeAnswer<Taken>(
  answer: HttpAnswer,
  dialect: Dialect<Taken>,
): ReadAnswer<Taken | NotAcceptedOutcome> {
  const { status } = answer;
  const family = statusClass(status);
  const read = readBody(answer.body, dialect);
  const message = read?.message ?? "";
  const doubt = (code: string, text: string): ReadAnswer<NotAcceptedOutcome> => ({
    outcome: { kind: "in_doubt", code, text },
    code: read?.codes[0] ?? null,
    message,
  });

  if (read === null || family === 3) {
    if (status === 401) return unauthorizedAnswer(message);
    return doubt(`http_${status}`, unreadableText(answer));
  }

  const { codes } = read;
  if (codes.length > 1)
    return doubt("conflict", `the response contains error codes ${codes.join(" and ")}`);
  const [code] = codes;

  if (code === undefined) {
    const taken = family === 2 ? dialect.readAccepted(read.body, message) : null;
    if (taken !== null) return { outcome: taken, code: null, message };
    if (status === 401) {
      return dialect.reportsAcceptance(read.body, message)
        ? doubt("conflict", "HTTP 401, but the response reports acceptance")
        : unauthorizedAnswer(message);
    }
    const text = messageText(status, message || "no message");
    return doubt(family === 2 ? "unknown_message" : `http_${status}`, text);
  }

  if (dialect.reportsAcceptance(read.body, message)) {
    return doubt("conflict", `the response reports both acceptance and error code ${code}`);
  }
  const meaning = dialect.meanings[code];
  if (!meaning) return doubt(code, message || "unknown code");
  if (status === 401 && meaning.stop !== "person") {
    return doubt("conflict", `HTTP 401 with error code ${code}`);
  }
  // A refused payout counts as not accepted and may be paid again, so "see error code 120" alone is
  // not a refusal.
  const isRefusal = meaning.kind === "declined" || meaning.kind === "deferred";
  if (isRefusal && !read.isStated && !isRefused(status, read.body)) {
    return doubt("unknown_message", messageText(status, message || `error code ${code} in a text`));
  }
  if (family >= 5 && meaning.kind === "duplicate") {
    return doubt(`http_${status}`, `HTTP ${status} with error code ${code}`);
  }
  return { outcome: outcomeOf(code, meaning, answer), code, message };
}

/** Returns whether the answer refuses the request in fields other than its message. */
const isRefused = (status: number, { success }: JsonObject): boolean =>
  [400, 401, 422].includes(status) || success === "0" || isFailureWord(success);

function outcomeOf(code: string, meaning: CodeMeaning, answer: HttpAnswer): NotAcceptedOutcome {
  const text = meaning.says;
  switch (meaning.kind) {
    case "duplicate":
      return { kind: "duplicate" };
    case "declined":
    case "in_doubt":
      return { kind: meaning.kind, code, text };
    case "deferred": {
      const stop: LaneStop | null = meaning.stop
        ? {
            until: meaning.stop,
            reason: `error code ${code}: ${text}`,
            ...(meaning.breaker && { breaker: meaning.breaker }),
          }
        : stopForClock(code, answer.dateOffsetMs);
      return { kind: "deferred", code, text, stop };
    }
  }
}

/**
 * With clocks far apart, the gateway would refuse the timestamp of every row, so the lane waits
 * until a clock is corrected (F115).
 */
function stopForClock(code: string, offsetMs: number | null): LaneStop | null {
  const apartMs = offsetMs ?? 0;
  if (code !== "112" || Math.abs(apartMs) <= CLOCK_OFFSET_MAX_MS) return null;
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  const side = apartMs > 0 ? "behind" : "ahead of";
  return {
    until: "wait",
    reason: `the clocks differ too much: payrun's is ${seconds} s ${side} the gateway's`,
  };
}

const PAUSE_MAX_MS = 3_600_000;
const PAUSE_MS = 1_000;

/**
 * No document states that a throttled request was not accepted (F40): without a documented refusal
 * it is in doubt. The lane pauses.
 */
function throttledAnswer<Taken>(
  said: ReadAnswer<Taken | NotAcceptedOutcome>,
  { retryAfterMs }: HttpAnswer,
): ReadAnswer<Taken | NotAcceptedOutcome> {
  const { outcome } = said;
  if (!isDoubt(outcome) && !isDeferred(outcome)) return said;
  const stop = outcome.stop ?? { until: "wait", reason: "HTTP 429: too many requests" };
  if (stop.until !== "wait") return said;
  const afterMs = Math.min(retryAfterMs ?? PAUSE_MS, PAUSE_MAX_MS);
  return { ...said, outcome: { ...outcome, stop: { ...stop, afterMs } } };
}

const isDeferred = (outcome: unknown): outcome is Extract<Outcome, { kind: "deferred" }> =>
  (outcome as Outcome).kind === "deferred";

/** Returns whether an outcome of any dialect is in doubt. */
export const isDoubt = (outcome: unknown): outcome is Extract<Outcome, { kind: "in_doubt" }> =>
  (outcome as Outcome).kind === "in_doubt";

function unauthorizedAnswer(message: string): ReadAnswer<NotAcceptedOutcome> {
  const text = "HTTP 401: the gateway did not accept the credentials";
  const stop = { until: "person", reason: text } as const;
  return { outcome: { kind: "deferred", code: "http_401", text, stop }, code: null, message };
}

/** Returns the message and all codes of a JSON body. Null: it is not one complete JSON object. */
function readBody(body: string | null, { codeOfMessage }: Pick<Dialect<unknown>, "codeOfMessage">) {
  const answer = body === null ? null : parseObject(body);
  if (answer === null) return null;
  const { message, error } = answer;
  const text = typeof message === "string" ? message : "";
  const codes = codesOf(text, error);
  const worded = codes.length === 0 ? (codeOfMessage?.(text) ?? null) : null;
  const { code, message: inner } = Object(error) as { code?: unknown; message?: unknown };
  const isStated = worded !== null || code != null || [text, error, inner].some(statesCode);
  return { body: answer, message: text, codes: worded === null ? codes : [worded], isStated };
}

/** Returns whether a text states an error code, instead of only mentioning one. */
const statesCode = (text: unknown): boolean => typeof text === "string" && STATED_CODE.test(text);

/** Returns the error codes in a text, in order. */
export const codesIn = (text: string): string[] =>
  text.match(CODE_IN_TEXT)?.map((found) => found.replace(/\D/g, "")) ?? [];

/** Describes an answer that is not one complete JSON object. */
export function unreadableText({ status, body }: Pick<HttpAnswer, "status" | "body">): string {
  if (statusClass(status) === 3) return `HTTP ${status}: a redirect, which payrun does not follow`;
  if (body === null) return `HTTP ${status} with a compressed body`;
  if (PAGE.test(body)) return `HTTP ${status} with an HTML page instead of JSON`;
  return `HTTP ${status} ${/\S/.test(body) ? "with an unreadable body" : "with an empty body"}`;
}

/** An HTML page of a proxy before the gateway, or of a wrong host (gateway.md section 6.4). */
const PAGE = /^\s*<(?:!doctype )?html\b/i;

/** Formats an answer's message, with the HTTP status if that is why the message does not count. */
export const messageText = (status: number, words: string): string =>
  statusClass(status) === 2 ? words : `HTTP ${status}: ${words}`;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === "" || value === "0";

/**
 * Returns whether an `error` value means that there is no error: false, 0, an empty text, list or
 * object, or an object of such values.
 */
export const isNoError = (error: unknown): boolean =>
  isEmpty(error) || (typeof error === "object" && Object.values(error ?? {}).every(isEmpty));

/** An `error` value without three digits is an unknown code and is reported as one. */
function codesOf(message: string, error: unknown): string[] {
  const codes = new Set(codesIn(message));
  if (!isNoError(error)) {
    const { code, message: inner } = Object(error) as { code?: unknown; message?: unknown };
    if (code !== undefined && code !== null) {
      const isCode = typeof code === "string" && THREE_DIGITS.test(code.trim());
      codes.add(isCode ? code.trim() : "unreadable");
    }
    for (const text of [error, inner]) {
      if (typeof text === "string") for (const found of codesIn(text)) codes.add(found);
    }
    if (codes.size === 0) codes.add("unreadable");
  }
  return [...codes];
}
