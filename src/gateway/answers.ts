import type { LaneStop, Outcome } from "#payout/outcome.ts";
import { parseObject } from "./json.ts";

/** What one code of the gateway says about the money (docs/gateway.md section 6.2). */
interface Meaning {
  readonly kind: "duplicate" | "declined" | "deferred" | "in_doubt";
  /** Set when the cause hits the whole lane: `wait` mends itself, `person` does not. */
  readonly stop?: LaneStop["until"];
  readonly says: string;
}

/**
 * Every documented code. 100 to 108 and 125 to 130 appear nowhere; a code that is not listed settles
 * nothing. 117, 123 and 131 read like refusals, but the payout may have been made (F114).
 */
// biome-ignore format: the columns are the point
export const ANSWERS: Readonly<Record<string, Meaning>> = {
  "109": { kind: "declined",                  says: "a required parameter is missing" },
  "110": { kind: "deferred", stop: "person",  says: "the payout method is not available" },
  "111": { kind: "duplicate",                 says: "the transaction code is known already" },
  "112": { kind: "deferred",                  says: "the timestamp is outside the window" },
  "113": { kind: "deferred",                  says: "the currency rate is not supported at this moment" },
  "114": { kind: "deferred", stop: "person",  says: "the payout method's currency is not the merchant's" },
  "115": { kind: "deferred", stop: "person",  says: "wrong key or merchant code" },
  "116": { kind: "deferred", stop: "wait",    says: "the payout method is under maintenance" },
  "117": { kind: "in_doubt",                  says: "server error of the payout method" },
  "118": { kind: "deferred", stop: "person",  says: "the gateway cannot read the key parameter" },
  "119": { kind: "deferred", stop: "wait",    says: "insufficient balance" },
  "120": { kind: "declined",                  says: "invalid IFSC" },
  "121": { kind: "declined",                  says: "bank not found" },
  "122": { kind: "declined",                  says: "the amount cannot have decimals" },
  "123": { kind: "in_doubt",                  says: "the request failed, the outcome is unsure" },
  "124": { kind: "deferred", stop: "person",  says: "our IP address is blocked" },
  "131": { kind: "in_doubt",                  says: "the payout account could not be reached, the outcome is unsure" },
};

/** One complete HTTP answer, reduced to what is read of it. */
export interface HttpAnswer {
  readonly status: number;
  /** Null when the body is no text: compressed although not asked for. */
  readonly body: string | null;
  /** The gateway's clock less ours in milliseconds, by its `Date` header; null without one. */
  readonly dateOffsetMs: number | null;
  /** How long it asks to be left alone, by its `Retry-After` header. */
  readonly retryAfterMs?: number | null;
}

export interface ReadAnswer {
  readonly outcome: Outcome;
  readonly code: string | null;
  /** The answer's message, not redacted yet. */
  readonly message: string;
}

const ACCEPTED = "request withdraw successful";
const PREFIX = /^\[WD\]\s*/i;
/** No two `\s*` in a row: on a text of many blanks they would try every way to share them. */
const CODE_IN_TEXT = /error\s+code\s*(?::\s*)?\d+/gi;
const THREE_DIGITS = /^\d{3}$/;
/** More than this between the clocks, and a refused timestamp is the clock's fault and not the wire's. */
const CLOCK_OFFSET_MAX_MS = 60_000;

/**
 * What an answer to a payout request says. `success` is not read: the gateway sends true with a refusal.
 * Only a complete JSON body on 2xx and 4xx speaks; on 5xx only a documented refusal does (F39).
 */
export function readPayoutAnswer(answer: HttpAnswer): ReadAnswer {
  const said = readAnswer(answer);
  return answer.status === 429 ? throttled(said, answer) : said;
}

function readAnswer(answer: HttpAnswer): ReadAnswer {
  const { status } = answer;
  const family = Math.trunc(status / 100);
  const read = readBody(answer.body);
  const message = read?.message ?? "";
  const doubt = (code: string, text: string): ReadAnswer => ({
    outcome: { kind: "in_doubt", code, text },
    code: read?.codes[0] ?? null,
    message,
  });

  if (family === 3) return doubt(`http_${status}`, "redirected, not followed");
  if (read === null) {
    if (status === 401) return refused401(message);
    return doubt(`http_${status}`, `HTTP ${status} without a readable answer`);
  }

  const { codes } = read;
  if (codes.length > 1) return doubt("conflict", `the answer names ${codes.join(" and ")}`);
  const [code] = codes;

  if (code === undefined) {
    const isAccepted = message.trim().replace(PREFIX, "").toLowerCase() === ACCEPTED;
    if (isAccepted && family === 2) {
      return { outcome: { kind: "accepted" }, code: null, message };
    }
    if (status === 401) return refused401(message);
    return doubt(family === 2 ? "unknown_message" : `http_${status}`, message || "no message");
  }

  if (message.toLowerCase().includes(ACCEPTED)) {
    return doubt("conflict", `the answer says accepted and names ${code}`);
  }
  const meaning = ANSWERS[code];
  if (!meaning) return doubt(code, message || "unknown code");
  if (status === 401 && meaning.stop !== "person") {
    return doubt("conflict", `HTTP 401 with error code ${code}`);
  }
  if (family >= 5 && meaning.kind === "duplicate") {
    return doubt(`http_${status}`, `HTTP ${status} with error code ${code}`);
  }
  return { outcome: outcomeOf(code, meaning, answer), code, message };
}

function outcomeOf(code: string, meaning: Meaning, answer: HttpAnswer): Outcome {
  const text = meaning.says;
  switch (meaning.kind) {
    case "duplicate":
      return { kind: "duplicate" };
    case "declined":
    case "in_doubt":
      return { kind: meaning.kind, code, text };
    case "deferred": {
      const stop: LaneStop | null = meaning.stop
        ? { until: meaning.stop, reason: `error code ${code}: ${text}` }
        : stopForClock(code, answer.dateOffsetMs);
      return { kind: "deferred", code, text, stop };
    }
  }
}

/** A refused timestamp with clocks far apart would refuse every row: the lane waits until a clock is mended (F115). */
function stopForClock(code: string, offsetMs: number | null): LaneStop | null {
  const apartMs = offsetMs ?? 0;
  if (code !== "112" || Math.abs(apartMs) <= CLOCK_OFFSET_MAX_MS) return null;
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  const side = apartMs > 0 ? "behind" : "ahead of";
  return {
    until: "wait",
    reason: `clock outside the window: ours is ${seconds} s ${side} the gateway's`,
  };
}

const PAUSE_MAX_MS = 3_600_000;
const PAUSE_MS = 1_000;

/** Nothing documents that a throttled request was not taken (F40): it is in doubt, and the lane leaves the gateway alone. */
function throttled(said: ReadAnswer, { retryAfterMs }: HttpAnswer): ReadAnswer {
  if (said.outcome.kind !== "in_doubt") return said;
  const afterMs = Math.min(retryAfterMs ?? PAUSE_MS, PAUSE_MAX_MS);
  const stop: LaneStop = { until: "wait", reason: "HTTP 429: too many requests", afterMs };
  return { ...said, outcome: { ...said.outcome, stop } };
}

function refused401(message: string): ReadAnswer {
  const text = "HTTP 401: the gateway does not know us";
  const stop = { until: "person", reason: text } as const;
  return { outcome: { kind: "deferred", code: "http_401", text, stop }, code: null, message };
}

/** The message and every code that a JSON body names; null when it is not one complete JSON object. */
function readBody(
  body: string | null,
): { readonly message: string; readonly codes: readonly string[] } | null {
  const answer = body === null ? null : parseObject(body);
  if (answer === null) return null;
  const { message, error } = answer;
  const text = typeof message === "string" ? message : "";
  return { message: text, codes: codesOf(text, error) };
}

/** The error codes that a text names, in its order. */
export const codesIn = (text: string): string[] =>
  text.match(CODE_IN_TEXT)?.map((found) => found.replace(/\D/g, "")) ?? [];

/** An `error` that is there and holds no three digits is a code nobody knows, and is told as such. */
function codesOf(message: string, error: unknown): string[] {
  const codes = new Set(codesIn(message));
  if (error !== undefined && error !== null) {
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
