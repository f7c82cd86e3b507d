import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type CancelableRequest, CancelError, got, type Response } from "got";
import type { Clock } from "#clock.ts";
import type { Outcome, StatusAnswer } from "#payout/outcome.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { type HttpAnswer, readPayoutAnswer } from "./answers.ts";
import { type Failure, failureOf, outcomeOfFailure } from "./failures.ts";
import type { Keyring, Merchant } from "./keyring.ts";
import { encode } from "./layout.ts";
import {
  bodyOf,
  type Escaping,
  type Layout,
  OPERATIONS,
  type Operation,
  pathOf,
  type TransportEncoding,
} from "./operations.ts";
import { encodePayout, sentence } from "./payout-request.ts";
import { redact } from "./redact.ts";
import { readStatusAnswer } from "./status-answer.ts";

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

export interface GatewayClient {
  /** One POST, no retries, one total deadline. Stamps a fresh timestamp and encrypts inside. Throws on a bug alone, before anything is sent. */
  submitPayout(order: PayoutOrder): Promise<Submission>;
  status(
    currency: string,
    transactionCode: string,
  ): Promise<{ answer: StatusAnswer; evidence: Evidence }>;
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

/** A thousand times the longest documented answer. What is longer is not read and settles nothing (F46). */
const ANSWER_BYTES_MAX = 256 * 1024;

type Exchange = { readonly answer: HttpAnswer } | { readonly failure: Failure };

export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const { keyring, clock } = options;
  const base = options.url.replace(/\/+$/, "");
  const settings = { layout: options.payoutLayout, escaping: options.escaping };
  const sockets = { keepAlive: true, maxSockets: options.maxSockets };
  const agent = { http: new HttpAgent(sockets), https: new HttpsAgent(sockets) };
  // Options are merged here once: merging headers again at each request costs 20 µs, a fifteenth of it.
  const get = got.extend({
    agent,
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
    followRedirect: false,
    timeout: { request: options.timeoutMs },
    headers: { "user-agent": options.userAgent },
  });
  const poster = ({ contentType }: Operation) =>
    get.extend({ method: "POST", headers: { "content-type": contentType } });
  const posts = { payout: poster(OPERATIONS.payout), status: poster(OPERATIONS.status) };

  async function exchange(request: CancelableRequest<Response<string>>): Promise<Exchange> {
    try {
      void request.on("downloadProgress", ({ transferred }) => {
        if (transferred > ANSWER_BYTES_MAX) request.cancel();
      });
      return { answer: answerOf(await request, clock) };
    } catch (error) {
      if (error instanceof CancelError) return { failure: { code: "too_large", proof: "none" } };
      return { failure: failureOf(error) };
    }
  }

  const post = (
    name: keyof typeof posts,
    merchant: Merchant,
    plaintext: string,
    encoding?: TransportEncoding,
  ) => {
    const sealed = keyring.cipherOf(merchant).seal(plaintext);
    const url = base + pathOf(OPERATIONS[name], merchant.merchantCode);
    return exchange(posts[name](url, { body: bodyOf(OPERATIONS[name], sealed, encoding) }));
  };

  return {
    async submitPayout(order) {
      const merchant = keyring.forCurrency(order.money.currency);
      if (!merchant) return withoutMerchant(order.money.currency);

      const timestampSeconds = Math.floor(clock.nowMs() / 1000);
      const plaintext = encodePayout(order, merchant, timestampSeconds, settings);
      if (!plaintext.ok) return { kind: "not_encodable", text: sentence(plaintext.error) };

      const startedMs = clock.monotonicMs();
      const result = await post("payout", merchant, plaintext.value);
      const elapsedMs = clock.monotonicMs() - startedMs;
      if ("failure" in result) {
        return {
          kind: "attempted",
          outcome: outcomeOfFailure(result.failure),
          evidence: evidenceOfFailure(result.failure, elapsedMs),
        };
      }
      const { outcome, code, message } = readPayoutAnswer(result.answer);
      return {
        kind: "attempted",
        outcome: redacted(outcome, merchant),
        evidence: evidenceOf(result.answer, code, redact(message, merchant), elapsedMs),
      };
    },

    async status(currency, transactionCode) {
      const merchant = keyring.forCurrency(currency);
      if (!merchant) return unasked("no_merchant", noMerchant(currency));
      const values = {
        merchant_api_key: merchant.apiKey.reveal(),
        transaction_code: transactionCode,
      };
      const fields = OPERATIONS.status.fields.map((name) => [name, values[name]] as const);
      const plaintext = encode(fields, OPERATIONS.status, {
        layout: OPERATIONS.status.layout,
        escaping: options.escaping,
      });
      if (!plaintext.ok) return unasked("not_encodable", sentence(plaintext.error));

      const startedMs = clock.monotonicMs();
      const result = await post("status", merchant, plaintext.value, options.statusEncoding);
      const elapsedMs = clock.monotonicMs() - startedMs;
      if ("failure" in result) {
        const { code } = result.failure;
        return {
          answer: { kind: "no_answer", code, text: `no answer (${code})` },
          evidence: evidenceOfFailure(result.failure, elapsedMs),
        };
      }
      const answer = readStatusAnswer(result.answer, transactionCode);
      if (answer.kind === "found") {
        const text =
          `${answer.record.state} ${answer.record.currency} ${answer.record.amount}`.slice(0, 80);
        return {
          answer,
          evidence: evidenceOf(result.answer, null, text, elapsedMs),
        };
      }
      const text = redact(answer.text, merchant);
      const code = answer.kind === "no_answer" ? redact(answer.code, merchant) : null;
      return {
        answer:
          answer.kind === "no_answer" ? { ...answer, code: code ?? "", text } : { ...answer, text },
        evidence: evidenceOf(result.answer, code, text, elapsedMs),
      };
    },

    async probe() {
      const result = await exchange(get(`${base}/`));
      if ("failure" in result) {
        return {
          reachable: false,
          detail: `no answer (${result.failure.code})`,
          clockOffsetMs: null,
        };
      }
      const { status, dateOffsetMs } = result.answer;
      return { reachable: true, detail: `HTTP ${status}`, clockOffsetMs: dateOffsetMs };
    },

    close() {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}

function answerOf(response: Response, clock: Clock): HttpAnswer {
  const { statusCode, body, headers } = response;
  const dateMs = headers.date === undefined ? Number.NaN : Date.parse(headers.date);
  return {
    status: statusCode,
    body: typeof body === "string" ? body : null,
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

const noMerchant = (currency: string): string => `no merchant is configured for ${currency}`;

function withoutMerchant(currency: string): Submission {
  const code = "no_merchant";
  const text = noMerchant(currency);
  return {
    kind: "attempted",
    outcome: { kind: "deferred", code, text, stop: { until: "person", reason: text } },
    evidence: { httpStatus: null, code, text, elapsedMs: 0, dateOffsetMs: null },
  };
}

function unasked(code: string, text: string): { answer: StatusAnswer; evidence: Evidence } {
  return {
    answer: { kind: "no_answer", code, text },
    evidence: { httpStatus: null, code, text, elapsedMs: 0, dateOffsetMs: null },
  };
}

/** Only doubt repeats words of the gateway; every other text is one of ours. */
function redacted(outcome: Outcome, merchant: Merchant): Outcome {
  return outcome.kind === "in_doubt"
    ? { ...outcome, code: redact(outcome.code, merchant), text: redact(outcome.text, merchant) }
    : outcome;
}

const evidenceOf = (
  { status, dateOffsetMs }: HttpAnswer,
  code: string | null,
  text: string,
  elapsedMs: number,
): Evidence => ({ httpStatus: status, code, text, elapsedMs, dateOffsetMs });

const evidenceOfFailure = ({ code }: Failure, elapsedMs: number): Evidence => ({
  httpStatus: null,
  code,
  text: "",
  elapsedMs,
  dateOffsetMs: null,
});
