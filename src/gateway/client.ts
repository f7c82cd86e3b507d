import type { Clock } from "#clock.ts";
import type { Outcome, StatusAnswer } from "#payout/outcome.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { type HttpAnswer, readPayoutAnswer } from "./answers.ts";
import { type Failure, outcomeOfFailure } from "./failures.ts";
import type { Keyring, Merchant } from "./keyring.ts";
import {
  bodyOf,
  type Escaping,
  type Layout,
  OPERATIONS,
  pathOf,
  type TransportEncoding,
} from "./operations.ts";
import { encodePayout, encodeStatus, sentence } from "./requests.ts";
import { redact } from "./redact.ts";
import { readStatusAnswer } from "./status-answer.ts";
import { httpTransport, type Reply, type Transport } from "./transport.ts";

/** Facts of one exchange for the evidence table. No secret, no account number, no request. */
export interface Evidence {
  /** Null: no complete answer. */
  readonly httpStatus: number | null;
  /** The gateway's error code, or the network's; null when the answer named none. */
  readonly code: string | null;
  /** The answer's message alone, cut and with long digit runs blanked. */
  readonly text: string;
  readonly elapsedMs: number;
  /** The gateway's clock less ours, by its `Date` header (whole seconds there). */
  readonly dateOffsetMs: number | null;
}

export type Submission =
  | { readonly kind: "attempted"; readonly outcome: Outcome; readonly evidence: Evidence }
  /** The layout cannot carry this order, now or later; nothing left. The text is for people and holds no value. */
  | { readonly kind: "not_encodable"; readonly text: string };

interface StatusReply {
  readonly answer: StatusAnswer;
  readonly evidence: Evidence;
}

export interface GatewayClient {
  /** One POST, no retries, one total deadline. Stamps a fresh timestamp and encrypts inside. Throws on a bug alone, before anything is sent. */
  submitPayout(order: PayoutOrder): Promise<Submission>;
  status(currency: string, transactionCode: string): Promise<StatusReply>;
  /** Whether any HTTP answer comes back within the deadline; and how far the clocks are apart. */
  probe(): Promise<{ reachable: boolean; detail: string; clockOffsetMs: number | null }>;
  close(): void;
}

export interface GatewayClientOptions {
  /** The gateway's base address; it may have a path. */
  readonly url: string;
  readonly keyring: Keyring;
  /** One deadline over the whole exchange, from the first byte of ours to the last of theirs (F43). */
  readonly timeoutMs: number;
  readonly payoutLayout: Layout;
  readonly escaping: Escaping;
  /** How the status form carries the sealed text; the default is the documentation's (docs/gateway.md 1.1). */
  readonly statusEncoding?: TransportEncoding;
  readonly maxSockets: number;
  readonly clock: Clock;
  readonly userAgent: string;
}

/** What came of one request. */
type Exchange = { readonly elapsedMs: number } & (
  | { readonly kind: "answer"; readonly answer: HttpAnswer }
  | { readonly kind: "failure"; readonly failure: Failure }
);

/** @param transport carries the requests: HTTP, unless a simulation has a wire of its own. */
export function createGatewayClient(
  options: GatewayClientOptions,
  transport: Transport = httpTransport(options),
): GatewayClient {
  const { keyring, clock, statusEncoding } = options;
  const base = options.url.replace(/\/+$/, "");
  const settings = { layout: options.payoutLayout, escaping: options.escaping };

  async function exchange(request: () => Promise<Reply | Failure>): Promise<Exchange> {
    const startedMs = clock.monotonicMs();
    const reply = await request();
    const elapsedMs = clock.monotonicMs() - startedMs;
    return "proof" in reply
      ? { kind: "failure", failure: reply, elapsedMs }
      : { kind: "answer", answer: answerOf(reply, clock), elapsedMs };
  }

  function post(
    name: keyof typeof OPERATIONS,
    merchant: Merchant,
    plaintext: string,
    encoding?: TransportEncoding,
  ): Promise<Exchange> {
    const operation = OPERATIONS[name];
    const sealed = keyring.cipherOf(merchant).seal(plaintext);
    const url = base + pathOf(operation, merchant.merchantCode);
    const body = bodyOf(operation, sealed, encoding);
    return exchange(() => transport.post(url, operation.contentType, body));
  }

  return {
    async submitPayout(order) {
      const merchant = keyring.forCurrency(order.money.currency);
      if (!merchant) return withoutMerchant(order.money.currency);

      const timestampSeconds = Math.floor(clock.nowMs() / 1000);
      const plaintext = encodePayout(order, merchant, timestampSeconds, settings);
      if (!plaintext.ok) return { kind: "not_encodable", text: sentence(plaintext.error) };

      return submissionOf(await post("payout", merchant, plaintext.value), merchant);
    },

    async status(currency, transactionCode) {
      const merchant = keyring.forCurrency(currency);
      if (!merchant) return unasked("no_merchant", noMerchant(currency));

      const plaintext = encodeStatus(transactionCode, merchant, options.escaping);
      if (!plaintext.ok) return unasked("not_encodable", sentence(plaintext.error));

      const result = await post("status", merchant, plaintext.value, statusEncoding);
      return statusOf(result, transactionCode, merchant);
    },

    async probe() {
      const result = await exchange(() => transport.get(`${base}/`));
      if (result.kind === "failure") {
        const detail = `no answer (${result.failure.code})`;
        return { reachable: false, detail, clockOffsetMs: null };
      }
      const { status, dateOffsetMs } = result.answer;
      return { reachable: true, detail: `HTTP ${status}`, clockOffsetMs: dateOffsetMs };
    },

    close: () => transport.close(),
  };
}

function answerOf({ status, body, headers }: Reply, clock: Clock): HttpAnswer {
  const dateMs = headers.date === undefined ? Number.NaN : Date.parse(headers.date);
  return {
    status,
    body,
    dateOffsetMs: Number.isNaN(dateMs) ? null : dateMs - clock.nowMs(),
    retryAfterMs: retryAfterOf(headers["retry-after"], clock),
  };
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function retryAfterOf(header: string | undefined, clock: Clock): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - clock.nowMs();
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}

function submissionOf(result: Exchange, merchant: Merchant): Submission {
  if (result.kind === "failure") {
    const { failure } = result;
    const evidence = evidenceOf(result, failure.code, "");
    return { kind: "attempted", outcome: outcomeOfFailure(failure), evidence };
  }
  const { outcome, code, message } = readPayoutAnswer(result.answer);
  return {
    kind: "attempted",
    outcome: redacted(outcome, merchant),
    evidence: evidenceOf(result, code, redact(message, merchant)),
  };
}

function statusOf(result: Exchange, transactionCode: string, merchant: Merchant): StatusReply {
  if (result.kind === "failure") {
    const { code } = result.failure;
    const answer: StatusAnswer = { kind: "no_answer", code, text: `no answer (${code})` };
    return { answer, evidence: evidenceOf(result, code, "") };
  }
  const answer = readStatusAnswer(result.answer, transactionCode);
  if (answer.kind === "found") {
    const { state, currency, amount } = answer.record;
    const text = `${state} ${currency} ${amount}`.slice(0, 80);
    return { answer, evidence: evidenceOf(result, null, text) };
  }
  const text = redact(answer.text, merchant);
  if (answer.kind === "not_found") {
    return { answer: { ...answer, text }, evidence: evidenceOf(result, null, text) };
  }
  const code = redact(answer.code, merchant);
  return { answer: { ...answer, code, text }, evidence: evidenceOf(result, code, text) };
}

const noMerchant = (currency: string): string => `no merchant is configured for ${currency}`;

function withoutMerchant(currency: string): Submission {
  const code = "no_merchant";
  const text = noMerchant(currency);
  return {
    kind: "attempted",
    outcome: { kind: "deferred", code, text, stop: { until: "person", reason: text } },
    evidence: evidenceOf(null, code, text),
  };
}

const unasked = (code: string, text: string): StatusReply => ({
  answer: { kind: "no_answer", code, text },
  evidence: evidenceOf(null, code, text),
});

/** Only doubt repeats words of the gateway; every other text is one of ours. */
function redacted(outcome: Outcome, merchant: Merchant): Outcome {
  return outcome.kind === "in_doubt"
    ? { ...outcome, code: redact(outcome.code, merchant), text: redact(outcome.text, merchant) }
    : outcome;
}

/** Null: no request was made. */
function evidenceOf(result: Exchange | null, code: string | null, text: string): Evidence {
  const answer = result?.kind === "answer" ? result.answer : null;
  return {
    httpStatus: answer?.status ?? null,
    code,
    text,
    elapsedMs: result?.elapsedMs ?? 0,
    dateOffsetMs: answer?.dateOffsetMs ?? null,
  };
}
