import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type CancelableRequest, got, type Response } from "got";
import { guardAnswer } from "#answer-guard.ts";
import { type Failure, failureOf } from "./failures.ts";
import type { Operation } from "./operations.ts";

type ContentType = NonNullable<Operation["contentType"]>;

/** A complete HTTP answer. */
export interface Reply {
  readonly status: number;
  /** Null when it is no text: compressed although not asked for. */
  readonly body: string | null;
  readonly headers: {
    readonly date?: string | undefined;
    readonly "retry-after"?: string | undefined;
  };
}

/**
 * Carries one request to the gateway and its answer back: no retry, no redirect, one total deadline. It knows
 * nothing of payouts. A simulation puts its own in this place, so that everything above it runs for real.
 */
export interface Transport {
  post(url: string, contentType: ContentType, body: string): Promise<Reply | Failure>;
  get(url: string): Promise<Reply | Failure>;
  close(): void;
}

export interface TransportOptions {
  readonly timeoutMs: number;
  readonly maxSockets: number;
  readonly userAgent: string;
}

/** A thousand times the longest documented answer. What is longer is not read and settles nothing (F46). */
const ANSWER_BYTES_MAX = 256 * 1024;

export function httpTransport({ timeoutMs, maxSockets, userAgent }: TransportOptions): Transport {
  const agents = (keepAlive: boolean) => ({
    http: new HttpAgent({ keepAlive, maxSockets }),
    https: new HttpsAgent({ keepAlive, maxSockets }),
  });
  const [kept, own] = [agents(true), agents(false)];
  // Options are merged here once: merging headers again at each request costs 20 µs, a fifteenth of it.
  const get = got.extend({
    agent: kept,
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
    followRedirect: false,
    timeout: { request: timeoutMs },
    // Without it a gateway may compress as it likes, by the standard.
    headers: { "user-agent": userAgent, "accept-encoding": "identity" },
  });
  const poster = (contentType: ContentType, agent: typeof kept) =>
    get.extend({ method: "POST", headers: { "content-type": contentType }, agent });
  const posts = {
    // What moves money. The answer to a payout names no code: one that comes twice, or late, would be taken for that of the
    // next payout on the same connection.
    "application/json": poster("application/json", own),
    "application/x-www-form-urlencoded": poster("application/x-www-form-urlencoded", kept),
  };

  return {
    post: (url, contentType, body) => exchange(posts[contentType](url, { body })),
    get: (url) => exchange(get(url)),
    close() {
      for (const { http, https } of [kept, own]) {
        http.destroy();
        https.destroy();
      }
    },
  };
}

async function exchange(request: CancelableRequest<Response<string>>): Promise<Reply | Failure> {
  const endedFor = guardAnswer(request, ANSWER_BYTES_MAX);
  try {
    const { statusCode, body, headers } = await request;
    return { status: statusCode, body: typeof body === "string" ? body : null, headers };
  } catch (error) {
    const ended = endedFor();
    return ended === null ? failureOf(error) : { code: ended, proof: "none" };
  }
}
