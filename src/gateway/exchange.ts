import type { Clock } from "#base/clock.ts";
import { DURATIONS } from "#base/telemetry/histograms.ts";
import { withSpan } from "#base/telemetry/spans.ts";
import { type HttpAnswer, isDoubt, type ReadAnswer } from "./payout-answers.ts";
import { type Failure, failureText, outcomeOfFailure } from "#gateway/wire/connection-failures.ts";
import type { Keyring, Merchant } from "#gateway/wire/keyring.ts";
import type { LayoutProblem } from "#gateway/wire/layout.ts";
import {
  bodyOf,
  type EndpointName,
  ENDPOINTS,
  type Endpoint,
  pathOf,
  type TransportEncoding,
} from "#gateway/wire/endpoints.ts";
import type { NotAcceptedOutcome } from "#payout/outcome.ts";
import { redact } from "#gateway/wire/redact.ts";
import { layoutProblemText } from "./requests.ts";
import type { Connection, Reply, Transport } from "#gateway/wire/transport.ts";

/**
 * Facts of one exchange for the evidence table. It contains no secret, account number or request.
 */
export interface Evidence {
  /** Null: no complete answer. */
  readonly httpStatus: number | null;
  /** The error code of the gateway or of the network. Null: the answer had none. */
  readonly code: string | null;
  /** Only the message of the answer, truncated and with long digit sequences masked. */
  readonly text: string;
  readonly elapsedMs: number;
  /**
   * The gateway's clock minus ours in milliseconds, from its `Date` header (which has whole
   * seconds).
   */
  readonly dateOffsetMs: number | null;
}

/** The result of one attempt to send something that moves money. */
export type Attempt<O> =
  | Attempted<O>
  /**
   * The layout can never carry it; nothing was sent. The text is for people and contains no value.
   */
  | { readonly kind: "not_encodable"; readonly text: string };

export interface Attempted<O> {
  readonly kind: "attempted";
  readonly outcome: O;
  readonly evidence: Evidence;
}

/** The result of one request. */
export type Exchange = { readonly elapsedMs: number } & (
  | { readonly kind: "answer"; readonly answer: HttpAnswer }
  | { readonly kind: "failure"; readonly failure: Failure }
);

/** Encrypts a plaintext and sends it once. */
type Send<Result> = (
  name: EndpointName,
  merchant: Merchant,
  plaintext: string,
  encoding?: TransportEncoding,
) => Promise<Result>;

export interface Exchanger {
  readonly send: Send<Exchange>;
  /** Takes a connection for several consecutive requests. The caller releases or discards it. */
  connect(): ExchangerConnection;
  /** Sends any request to the base address. */
  probe(): Promise<Exchange>;
}

/** `isReused`: the connection had carried an exchange before. */
export type ConnectionExchange = Exchange & { readonly isReused: boolean };

export interface ExchangerConnection extends Pick<Connection, "release" | "discard"> {
  readonly send: Send<ConnectionExchange>;
}

interface ExchangerOptions {
  /** The gateway's base address, which may contain a path. */
  readonly url: string;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/**
 * Creates the sender of encrypted requests, which reads the responses and collects the evidence.
 */
export function createExchanger(
  transport: Transport,
  { url, keyring, clock }: ExchangerOptions,
): Exchanger {
  const base = url.replace(/\/+$/, "");

  const exchange = (name: string, request: () => Promise<Reply | Failure>) =>
    observed(name, () => timed(request, clock));

  function requestOf(
    name: EndpointName,
    merchant: Merchant,
    plaintext: string,
    encoding?: TransportEncoding,
  ) {
    const operation: Endpoint = ENDPOINTS[name];
    const sealed = keyring.cipherOf(merchant).seal(plaintext);
    const address = base + pathOf(operation, merchant.merchantCode);
    return {
      address,
      contentType: operation.contentType,
      body: bodyOf(operation, sealed, encoding),
    };
  }

  return {
    send(...request) {
      const { address, contentType, body } = requestOf(...request);
      return exchange(request[0], () =>
        contentType === null
          ? transport.get(`${address}?${body}`)
          : transport.post(address, contentType, body),
      );
    },
    connect() {
      const connection = transport.connect();
      return {
        async send(...request) {
          const { address, contentType, body } = requestOf(...request);
          if (contentType === null) throw new Error(`${request[0]} is a GET`);
          let isReused = false;
          const result = await exchange(request[0], async () => {
            const reply = await connection.post(address, contentType, body);
            isReused = "proof" in reply ? false : reply.isReused;
            return reply;
          });
          return { ...result, isReused };
        },
        release: () => connection.release(),
        discard: () => connection.discard(),
      };
    },
    probe: () => exchange("probe", () => transport.get(`${base}/`)),
  };
}

/** Measures a request. */
async function timed(request: () => Promise<Reply | Failure>, clock: Clock): Promise<Exchange> {
  const startedMs = clock.monotonicMs();
  const reply = await request();
  // Rounded to microseconds: further digits are noise, and long enough to look like an account
  // number.
  const elapsedMs = Math.round((clock.monotonicMs() - startedMs) * 1_000) / 1_000;
  return "proof" in reply
    ? { kind: "failure", failure: reply, elapsedMs }
    : { kind: "answer", answer: answerOf(reply, clock), elapsedMs };
}

/** Records a request as a span without its address or content, and counts its duration. */
const observed = (name: string, request: () => Promise<Exchange>): Promise<Exchange> =>
  withSpan(
    { name: `gateway ${name}`, kind: "client", facts: { "payrun.gateway.endpoint": name } },
    async (span) => {
      const result = await request();
      if (result.kind === "answer") span.set({ "http.response.status_code": result.answer.status });
      else span.set({ "error.type": result.failure.code });
      const said = result.kind === "answer" ? String(result.answer.status) : result.failure.code;
      DURATIONS.gateway.record(result.elapsedMs / 1_000, name, said);
      return result;
    },
  );

function answerOf({ status, body, headers }: Reply, clock: Clock): HttpAnswer {
  const dateMs = dateOf(headers.date);
  return {
    status,
    body,
    dateOffsetMs: dateMs === null ? null : dateMs - clock.nowMs(),
    retryAfterMs: retryAfterOf(headers["retry-after"], clock),
  };
}

/** Reads seconds or a date (RFC 9110, 10.2.3). Null: anything else. */
function retryAfterOf(header: string | undefined, clock: Clock): number | null {
  if (header !== undefined && /^\d+$/.test(header)) return Number(header) * 1_000;
  const dateMs = dateOf(header);
  return dateMs === null ? null : Math.max(dateMs - clock.nowMs(), 0);
}

/** `Date.parse` reads "-5" as a day in 2001. HTTP dates start with a weekday. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

function dateOf(header: string | undefined): number | null {
  const ms = header !== undefined && HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** Evaluates an exchange: what its failure proves, or what its answer means. */
export function readAttempt<O>(
  result: Exchange,
  merchant: Merchant,
  read: (answer: HttpAnswer) => ReadAnswer<O | NotAcceptedOutcome>,
): Attempted<O | NotAcceptedOutcome> {
  if (result.kind === "failure") {
    const { failure } = result;
    const evidence = evidenceOf(result, failure.code, "");
    return { kind: "attempted", outcome: outcomeOfFailure(failure), evidence };
  }
  const { outcome, code, message } = read(result.answer);
  return {
    kind: "attempted",
    outcome: redactedOutcome(outcome, merchant),
    evidence: evidenceOf(result, code, redact(message, merchant)),
  };
}

/** Returns the error text for a currency without a merchant. */
export const noMerchantText = (currency: string): string =>
  `no merchant is configured for ${currency}`;

/**
 * Returns the outcome of an attempt without a merchant: deferred, with the lane stopped for a
 * person.
 */
export function attemptWithoutMerchant(currency: string): Attempt<NotAcceptedOutcome> {
  const code = "no_merchant";
  const text = noMerchantText(currency);
  return {
    kind: "attempted",
    outcome: { kind: "deferred", code, text, stop: { until: "person", reason: text } },
    evidence: evidenceOf(null, code, text),
  };
}

/** Returns the outcome for a value that the message layout cannot carry. */
export const notEncodableAttempt = (problem: LayoutProblem) =>
  ({ kind: "not_encodable", text: layoutProblemText(problem) }) as const;

/** The result of a query without an answer. */
interface NoAnswer {
  readonly answer: { readonly kind: "no_answer"; readonly code: string; readonly text: string };
  readonly evidence: Evidence;
}

/** Builds the result of a query that was not sent, with the reason. */
export const notQueried = (code: string, text: string): NoAnswer => ({
  answer: { kind: "no_answer", code, text },
  evidence: evidenceOf(null, code, text),
});

/** Builds the result of a query that was sent but got no HTTP answer. */
export function withoutAnswer(result: Extract<Exchange, { kind: "failure" }>): NoAnswer {
  const { code } = result.failure;
  return {
    answer: { kind: "no_answer", code, text: failureText(result.failure) },
    evidence: evidenceOf(result, code, ""),
  };
}

/** Only a doubt quotes the gateway. All other texts are ours, or must be shown to the payer. */
function redactedOutcome<O>(
  outcome: O | NotAcceptedOutcome,
  merchant: Merchant,
): O | NotAcceptedOutcome {
  return isDoubt(outcome)
    ? { ...outcome, code: redact(outcome.code, merchant), text: redact(outcome.text, merchant) }
    : outcome;
}

/** Builds the stored record of an exchange. `result` is null if no request was made. */
export function evidenceOf(result: Exchange | null, code: string | null, text: string): Evidence {
  const answer = result?.kind === "answer" ? result.answer : null;
  return {
    httpStatus: answer?.status ?? null,
    code,
    text,
    elapsedMs: result?.elapsedMs ?? 0,
    dateOffsetMs: answer?.dateOffsetMs ?? null,
  };
}
