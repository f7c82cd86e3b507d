import type { Operations } from "./operations.ts";

export type { Operations };

/** "METHOD /path" of an operation that an API key may call. */
export type OperationName = keyof Operations;
/**
 * The JSON document that an operation returns. A file is returned as a `Response`. Later versions
 * may add members, states and codes.
 */
export type Answer<Name extends OperationName> = Operations[Name]["answer"];
/** The parts of a request. */
export type Input<Name extends OperationName> = Operations[Name]["input"];

type Given<Name extends OperationName> =
  {} extends Input<Name> ? readonly [input?: Input<Name>] : readonly [input: Input<Name>];

interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly [member: string]: unknown;
}

/** An answer of payrun that is a problem document (RFC 9457). */
class ProblemAnswer extends Error {
  readonly status: number;
  readonly code: string;
  /** The complete document, such as the `problems` of invalid rows. */
  readonly problem: Problem;

  constructor(status: number, problem: Problem, advice = "") {
    const text = problem.detail ?? problem.title ?? `payrun answered ${status}`;
    super(advice === "" ? text : `${text.replace(/\.$/, "")}. ${advice}`);
    this.status = status;
    this.code = problem.code ?? "unexpected";
    this.problem = problem;
  }
}

/** A refusal by payrun, without any effect. `code` is stable; `message` is for people. */
export class PayrunError extends ProblemAnswer {
  override readonly name = "PayrunError";
}

/**
 * The server failed, or still processes the request: it may have an effect. Repeat it with the same
 * `idempotencyKey` until another answer arrives.
 */
export class OutcomeUnknown extends ProblemAnswer {
  override readonly name = "OutcomeUnknown";
}

export interface ClientOptions {
  /** Address of the server, such as https://pay.example. */
  readonly server: string;
  /** API key that starts with `pk_`. */
  readonly key: string;
  /** Number of attempts for a request that may be repeated. Default: 5. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt; doubled for each further one. Default: 500. */
  readonly pauseMs?: number;
  /** Default: the function of the platform. */
  readonly fetch?: typeof fetch;
}

interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Refusals after which the same request is repeated. */
const BUSY = new Set(["too_many_requests", "too_many_uploads"]);
const ATTEMPTS = 5;
const PAUSE_MS = 500;

/**
 * Client of payrun's HTTP API. A request that only reads, or that has an `idempotencyKey`, is
 * repeated if the connection breaks or the server is busy. payrun creates nothing twice.
 *
 * @example
 * ```ts
 * import { PayrunClient } from "payrun/client";
 *
 * const payrun = new PayrunClient({ server: "https://pay.example", key });
 * const { batch } = await payrun.call("POST /api/batches", {
 *   body: { rows: [{ currency_code: "INR", transaction_amount: "1200.50", ...beneficiary }] },
 *   idempotencyKey: "payroll-2026-11",
 * });
 * await payrun.call("POST /api/batches/{id}/request-approval", {
 *   path: { id: batch.batch_id },
 *   body: {},
 * });
 * ```
 */
export class PayrunClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Sends one request and returns its document.
   *
   * @throws PayrunError if payrun refuses it, and OutcomeUnknown if the server failed or still
   *   processes it. Any other error means that no answer arrived, so the outcome is unknown too.
   */
  async call<Name extends OperationName>(
    name: Name,
    ...[input]: Given<Name>
  ): Promise<Answer<Name>> {
    const parts: Parts = input ?? {};
    const [method = "GET", path = ""] = name.split(" ");
    const address = `${this.#options.server.replace(/\/$/, "")}${addressOf(path, parts)}`;
    const isRepeatable = method === "GET" || parts.idempotencyKey !== undefined;
    const attempts = isRepeatable ? (this.#options.attempts ?? ATTEMPTS) : 1;
    const advice = adviceFor(method, parts);
    let pauseMs = this.#options.pauseMs ?? PAUSE_MS;
    let mayHaveEffect = false;
    for (let attempt = 1; ; attempt++, pauseMs *= 2) {
      try {
        const { status, headers, document } = await this.#send(method, address, parts);
        if (status < 400) return document as Answer<Name>;
        const refusal = new PayrunError(status, document as Problem);
        const isUnknown = status >= 500 || refusal.code === "request_in_progress";
        if (!isUnknown && !BUSY.has(refusal.code)) throw refusal;
        mayHaveEffect ||= isUnknown;
        if (attempt >= attempts)
          throw mayHaveEffect ? new OutcomeUnknown(status, document as Problem, advice) : refusal;
        const seconds = Number(headers.get("retry-after") ?? 0);
        await pause(Math.max(pauseMs, seconds * 1_000), parts.signal);
      } catch (error) {
        const isOver = error instanceof ProblemAnswer || parts.signal?.aborted;
        if (isOver || attempt >= attempts) throw error;
        mayHaveEffect = true;
        await pause(pauseMs, parts.signal);
      }
    }
  }

  /** The document is read here, so that a connection that breaks during it counts as no answer. */
  async #send(method: string, address: string, parts: Parts) {
    const { body, idempotencyKey, signal } = parts;
    const isFile = typeof body === "string" || body instanceof Blob || ArrayBuffer.isView(body);
    const send = this.#options.fetch ?? fetch;
    const response = await send(address, {
      method,
      headers: {
        authorization: `Bearer ${this.#options.key}`,
        ...(body !== undefined && {
          "content-type": isFile ? "application/octet-stream" : "application/json",
        }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(body !== undefined && { body: isFile ? (body as Blob) : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const { status, headers } = response;
    const isJson = /^application\/(?:problem\+)?json\b/.test(headers.get("content-type") ?? "");
    if (isJson) return { status, headers, document: await response.json() };
    if (status >= 400) return { status, headers, document: { title: await response.text() } };
    return { status, headers, document: status === 204 ? undefined : response };
  }
}

/** Returns what a program can do if the request may have an effect. */
function adviceFor(method: string, { idempotencyKey }: Parts): string {
  if (method === "GET") return "";
  return idempotencyKey === undefined
    ? "The outcome is unknown: check whether the request took effect before you repeat it."
    : "The outcome is unknown: repeat the request with the same key.";
}

function addressOf(path: string, { path: values = {}, query = {} }: Parts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value])
        .filter((each) => each !== undefined)
        .map((each): [string, string] => [name, String(each)]),
    ),
  );
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
