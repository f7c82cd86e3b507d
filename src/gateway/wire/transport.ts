import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type CancelableRequest, type Got, got, type Response } from "got";
import { limitAnswer } from "#base/answer-guard.ts";
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
  readonly timeoutMs: number;
  readonly maxSockets: number;
  readonly userAgent: string;
  readonly clock: Pick<Clock, "monotonicMs">;
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

/**
 * Creates the HTTP client for the gateway: one deadline for each request, no redirects, no retries.
 */
export function httpTransport({
  timeoutMs,
  maxSockets,
  userAgent,
  clock,
}: TransportOptions): Transport {
  // Options are merged once here: merging headers again for each request costs 20 µs, a fifteenth
  // of the request.
  const base = got.extend({
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
    followRedirect: false,
    timeout: { request: timeoutMs },
    // Without this header, HTTP allows the gateway to compress as it likes.
    headers: { "user-agent": userAgent, "accept-encoding": "identity" },
  });
  const kept = agentsOf({ keepAlive: true, maxSockets });
  const own = agentsOf({ keepAlive: false, maxSockets });
  const shared = clientOver(base, kept);
  // The answer to a request that moves money contains no code, so a duplicate answer would be taken
  // for the next one.
  const posts = {
    ...shared.posts,
    "application/json": clientOver(base, own).posts["application/json"],
  };
  const lines = lineStore(base, clock);

  return {
    post: (url, contentType, body) => exchange(posts[contentType](url, { body })),
    get: (url) => exchange(shared.get(url)),
    connect() {
      const line = lines.take();
      let isOpen = true;
      return {
        post: line.post,
        discard() {
          isOpen = false;
          line.discard();
        },
        release() {
          if (isOpen) lines.giveBack(line);
        },
      };
    },
    close() {
      destroy(kept);
      destroy(own);
      lines.close();
    },
  };
}

/** Sends over these agents. The options are merged here, once for each content type. */
function clientOver(base: Got, agents: Agents) {
  const get = base.extend({ agent: agents });
  const poster = (contentType: ContentType) =>
    get.extend({ method: "POST", headers: { "content-type": contentType } });
  const json = poster("application/json");
  const form = poster("application/x-www-form-urlencoded");
  return { get, posts: { "application/json": json, "application/x-www-form-urlencoded": form } };
}

/** Opens connections for one caller at a time, and keeps the idle ones for the next caller. */
function lineStore(base: Got, clock: TransportOptions["clock"]) {
  const open = new Set<Agents>();
  const idle: PooledConnection[] = [];

  function openLine(): IdleConnection {
    const agents = agentsOf({ keepAlive: true, maxSockets: 1 });
    open.add(agents);
    const line = clientOver(base, agents);
    return {
      post: (url, contentType, body) => exchange(line.posts[contentType](url, { body })),
      discard() {
        open.delete(agents);
        destroy(agents);
      },
    };
  }

  function takeIdle(): IdleConnection | null {
    const last = idle.pop();
    if (last && clock.monotonicMs() - last.sinceMs <= IDLE_MAX_MS) return last.connection;
    // The other connections have been idle for even longer.
    for (const { connection } of [...idle.splice(0), ...(last ? [last] : [])]) connection.discard();
    return null;
  }

  return {
    take: () => takeIdle() ?? openLine(),
    giveBack: (connection: IdleConnection) =>
      idle.push({ connection, sinceMs: clock.monotonicMs() }),
    close() {
      for (const agents of open) destroy(agents);
    },
  };
}

type IdleConnection = Omit<Connection, "release">;

interface PooledConnection {
  readonly connection: IdleConnection;
  readonly sinceMs: number;
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

const agentsOf = (options: { keepAlive: boolean; maxSockets: number }): Agents => ({
  http: new HttpAgent(options),
  https: new HttpsAgent(options),
});

function destroy({ http, https }: Agents): void {
  http.destroy();
  https.destroy();
}

async function exchange(
  request: CancelableRequest<Response<string>>,
): Promise<ConnectionReply | Failure> {
  const endedFor = limitAnswer(request, ANSWER_BYTES_MAX);
  let isReused = false;
  void request.on("request", (sent) => sent.once("response", () => (isReused = sent.reusedSocket)));
  try {
    const { statusCode, body, headers } = await request;
    const text = typeof body === "string" ? body : null;
    return { status: statusCode, body: text, headers, isReused };
  } catch (error) {
    const ended = endedFor();
    return ended === null ? failureOf(error) : { code: ended, proof: "none" };
  }
}
