import { Agent, Client, type Dispatcher, errors } from "undici";
import type { Clock } from "#base/clock.ts";
import { type Failure, failureOf } from "./connection-failures.ts";
import type { Endpoint } from "./endpoints.ts";

type ContentType = NonNullable<Endpoint["contentType"]>;

/** A complete HTTP answer. */
export interface Reply {
  readonly status: number;
  /** Null: not text, because it was compressed although that was not requested. */
  readonly body: string | null;
  readonly headers: {
    readonly date?: string | undefined;
    readonly "retry-after"?: string | undefined;
  };
}

/** An answer, and whether its connection had carried an exchange before this one. */
export interface ConnectionReply extends Reply {
  /**
   * True: an answer that the server sent twice, or too late, could have been mistaken for this one.
   */
  readonly isReused: boolean;
}

/**
 * One connection, for one caller at a time. It is opened at its first use, and again after the
 * server has closed it.
 */
export interface Connection {
  post(url: string, contentType: ContentType, body: string): Promise<ConnectionReply | Failure>;
  /** Returns the connection for use by the next caller. */
  release(): void;
  /** Closes the connection: its answers may no longer match its requests. */
  discard(): void;
}

/**
 * Carries one request to the gateway and returns its answer: no retry, no redirect, one total
 * deadline. It knows nothing about payouts. A simulation replaces it, so everything above it runs
 * unchanged.
 */
export interface Transport {
  /** Sends on a new connection, which is closed after the answer. */
  post(url: string, contentType: ContentType, body: string): Promise<Reply | Failure>;
  get(url: string): Promise<Reply | Failure>;
  /** Takes an idle connection, or opens a new one. */
  connect(): Connection;
  close(): void;
}

export interface TransportOptions {
  /** Total duration of a request in milliseconds, from its call to the end of its answer. */
  readonly timeoutMs: number;
  /** Maximum number of sockets for each kind of request without a `Connection`. */
  readonly maxSockets: number;
  readonly userAgent: string;
  readonly clock: Pick<Clock, "sleep">;
}

/**
 * A thousand times the longest documented answer. A longer answer is not read and settles nothing
 * (F46).
 */
const ANSWER_BYTES_MAX = 256 * 1024;

/**
 * Maximum idle time in milliseconds of a connection that is used again. Servers close idle
 * connections, many after two to five seconds, and a request that meets the close is a payout in
 * doubt.
 */
const IDLE_MAX_MS = 1_000;

/** One deadline covers the whole request, so the client's own deadlines for answers are off. */
const CLIENT_OPTIONS = {
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: IDLE_MAX_MS,
  keepAliveMaxTimeout: IDLE_MAX_MS,
  maxResponseSize: ANSWER_BYTES_MAX,
} satisfies Client.Options;

/**
 * Creates the HTTP client for the gateway: one deadline for each request, no redirects, no retries.
 */
export function httpTransport({
  timeoutMs,
  maxSockets,
  userAgent,
  clock,
}: TransportOptions): Transport {
  // Without this header, HTTP allows the gateway to compress as it likes.
  const headers = { "user-agent": userAgent, "accept-encoding": "identity" };
  const posted = (contentType: ContentType, body: string) =>
    ({ method: "POST", headers: { ...headers, "content-type": contentType }, body }) as const;
  // The client closes a socket that does not connect in time; a deadline alone would keep it.
  const options = { ...CLIENT_OPTIONS, connect: { timeout: timeoutMs } };
  const kept = new Agent({ ...options, connections: maxSockets });
  const own = new Agent({ ...options, connections: maxSockets });
  const lines = lineStore(options);
  const untilDeadline = (signal: AbortSignal) => clock.sleep(timeoutMs, signal);

  return {
    post: (url, contentType, body) =>
      // The answer to a request that moves money contains no code, so a duplicate answer would be
      // taken for the next one. `reset` closes the connection after the answer.
      contentType === "application/json"
        ? exchange(own, url, { ...posted(contentType, body), reset: true }, untilDeadline)
        : exchange(kept, url, posted(contentType, body), untilDeadline),
    get: (url) => exchange(kept, url, { method: "GET", headers }, untilDeadline),
    connect() {
      const line = lines.take();
      return {
        post: (url, contentType, body) => line.send(url, posted(contentType, body), untilDeadline),
        discard: () => line.discard(),
        release: () => lines.giveBack(line),
      };
    },
    close() {
      for (const agent of [kept, own]) void agent.destroy();
      lines.close();
    },
  };
}

/** Opens connections for one caller at a time, and keeps the idle ones for the next caller. */
function lineStore(options: Client.Options) {
  const open = new Set<Line>();
  const idle: Line[] = [];
  return {
    take(): Line {
      // The last one is the least likely to be closed.
      const line = idle.pop() ?? new Line(options);
      open.add(line);
      return line;
    },
    giveBack(line: Line): void {
      if (line.isOpen) idle.push(line);
      else open.delete(line);
    },
    close(): void {
      for (const line of open) line.discard();
    },
  };
}

/** One connection. Its client opens it at the first request, and again once it was closed. */
class Line {
  readonly #options: Client.Options;
  #client: Client | null = null;
  /** Number of exchanges over the open connection. */
  #exchanges = 0;

  constructor(options: Client.Options) {
    this.#options = options;
  }

  /** False once it was discarded, or before its first request. */
  get isOpen(): boolean {
    return this.#client !== null;
  }

  async send(
    url: string,
    request: Request,
    untilDeadline: Wait,
  ): Promise<ConnectionReply | Failure> {
    this.#client ??= this.#clientTo(new URL(url).origin);
    let isReused = false;
    const onStart = () => (isReused = this.#exchanges > 0);
    const reply = await exchange(this.#client, url, request, untilDeadline, onStart);
    this.#exchanges += 1;
    if (!("proof" in reply)) return { ...reply, isReused };
    this.discard();
    return reply;
  }

  discard(): void {
    void this.#client?.destroy();
    this.#client = null;
  }

  #clientTo(origin: string): Client {
    const client = new Client(origin, this.#options);
    return client.on("connect", () => (this.#exchanges = 0));
  }
}

/** Waits until the deadline of a request, or until the signal. */
type Wait = (signal: AbortSignal) => Promise<void>;

type Request = Pick<Dispatcher.DispatchOptions, "method" | "headers" | "body" | "reset">;

/**
 * Sends one request and collects its answer.
 *
 * @param onStart called immediately before the first byte of the request is written.
 */
function exchange(
  dispatcher: Dispatcher,
  url: string,
  request: Request,
  untilDeadline: Wait,
  onStart = () => {},
): Promise<Reply | Failure> {
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null;
    let reply: Omit<Reply, "body"> & { readonly isText: boolean };
    const body: Buffer[] = [];
    const over = new AbortController();
    const end = (result: Reply | Failure) => {
      over.abort();
      resolve(result);
    };
    const endAtDeadline = async () => {
      await untilDeadline(over.signal);
      if (over.signal.aborted) return;
      // A request that was never started is never written: `onRequestStart` ends it.
      end({ code: "ETIMEDOUT", proof: controller ? "none" : "not_sent" });
      controller?.abort(new errors.RequestAbortedError());
    };
    void endAtDeadline();

    dispatcher.dispatch(
      { origin, path: pathname + search, ...request },
      {
        onRequestStart(started) {
          // The client may start a request again after its connection failed. It is sent once.
          if (over.signal.aborted || controller) {
            started.abort(new errors.RequestAbortedError());
            return;
          }
          controller = started;
          onStart();
        },
        // The last call has the final status: interim answers such as 103 come first. On 100, which
        // only a request with `Expect` allows, the client closes the connection.
        onResponseStart(_, status, headers) {
          reply = {
            status,
            headers: { date: first(headers["date"]), "retry-after": first(headers["retry-after"]) },
            isText: (first(headers["content-encoding"]) ?? "identity") === "identity",
          };
        },
        onResponseData: (_, piece) => void body.push(piece),
        onResponseEnd() {
          const { isText, ...answer } = reply;
          end({ ...answer, body: isText ? Buffer.concat(body).toString() : null });
        },
        // Once the request was started, no error proves that it was not sent.
        onResponseError: (_, error) =>
          end(controller ? { ...failureOf(error), proof: "none" } : failureOf(error)),
      },
    );
  });
}

/** Returns the first value of a header that was sent more than once. */
const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
