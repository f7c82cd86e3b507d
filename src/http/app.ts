import { type FastifyInstance, type FastifyReply, fastify } from "fastify";
import { systemClock } from "#clock.ts";
import { Slots } from "#flows/slots.ts";
import { bucketPerSender } from "#http/bucket.ts";
import { HEADERS_WITHIN_MS, limitConnections, LOOK_EVERY_MS } from "#http/connections.ts";
import type { Desk } from "#http/desk.ts";
import { deskApp } from "#http/desk-app.ts";
import { refuseTwice } from "#http/hosts.ts";
import { payPages } from "#http/pay.ts";
import { answerProblem, BODY_BYTES_MAX, Problem, problemOf } from "#http/problems.ts";
import { type Log, wordsOf } from "#log.ts";

export interface AppDeps {
  readonly log: Log;
  /** Opens a callback and returns what follows it; null: no clean callback of one of our merchants, which is dropped. */
  readonly openCallback: (body: unknown) => (() => Promise<void>) | null;
  /** What is wrong with this process; empty: it can do its work. */
  readonly health: () => Promise<readonly string[]>;
  /** How long a body may take that is no uploaded file; left out: half a minute. */
  readonly bodyWithinMs?: number;
  /** Open connections of one address; left out: 500. */
  readonly connectionsMax?: number;
  /** The API and the pages; without it there are callbacks and health alone. */
  readonly desk?: Desk;
}

/** The documented answer of an operator to a callback (docs/gateway.md section 8). */
const CALLBACK_ANSWER = "success";
const BODY_WITHIN_MS = 30_000;
/** A large file over a slow line. */
const UPLOAD_WITHIN_MS = 3_600_000;
/** Opened callbacks that wait to be kept. More are dropped: the status query finds what they would have told (F74). */
const BACKLOG_MAX = 1_000;
/** Of those, so many are kept at once: half of the connections to the database stay for people, sweeps and notices. */
const KEPT_AT_ONCE = 3;
/** From one address. A gateway has few, and reports payouts as fast as it takes them; what is above it is not opened. */
const CALLBACK_RATE = { perSecond: 1_000, burst: 5_000 };

/** The HTTP side of payrun: callbacks of the gateway, two health checks, and the desk. */
export function createApp(deps: AppDeps): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: UPLOAD_WITHIN_MS,
    http: { headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: LOOK_EVERY_MS },
    trustProxy: deps.desk?.config.TRUSTED_PROXIES ?? false,
    // Nothing in the address of a payment is escaped; what is leads nowhere, and gets the answer of that.
    rewriteUrl: ({ url = "/" }) => (/^\/pay\/[^?]*%/.test(url) ? "/pay/" : url),
    // An address that cannot be decoded never gets as far as a route.
    frameworkErrors: (error, request, reply) => {
      void answerError(error, request.url, reply);
    },
  });
  app.addHook("onRequest", async (request) => refuseTwice(request));
  limitConnections(app, {
    bodyWithinMs: deps.bodyWithinMs ?? BODY_WITHIN_MS,
    trustedProxies: deps.desk?.config.TRUSTED_PROXIES,
    ...(deps.connectionsMax && { connectionsMax: deps.connectionsMax }),
  });
  void app.register(async (scope) => callbacks(scope, deps));

  app.setErrorHandler((error, request, reply) => answerError(error, request.url, reply));
  /** The process runs. */
  app.get("/healthz", async () => ({ status: "ok" }));
  /** The process can do its work: database, queue and sweep. */
  app.get("/readyz", async (_request, reply) => {
    const problems = await deps.health();
    return reply
      .code(problems.length === 0 ? 200 : 503)
      .send({ status: problems.length === 0 ? "ok" : "unready", problems });
  });
  const { desk } = deps;
  if (desk) {
    void app.register(async (scope) => payPages(scope, desk));
    void app.register(async (scope) => deskApp(scope, desk));
  }
  return app;
}

/** With a parser and an answer of their own: they take whatever comes. */
function callbacks(app: FastifyInstance, deps: AppDeps): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  let backlog = 0;
  const turns = new Slots(KEPT_AT_ONCE);
  const mayCome = bucketPerSender(CALLBACK_RATE, () => systemClock.monotonicMs());
  // The same answer for whatever comes in, sent before anything is looked at: neither status, body nor time tells a
  // sender whether the cipher opened, the code is known, or the payout has ended (F111).
  app.all("/callbacks/*", async (request, reply) => {
    const { body, ip } = request;
    setImmediate(() => {
      if (!mayCome(ip)) return;
      const follow = open(body);
      if (follow === null || backlog >= BACKLOG_MAX) return;
      backlog += 1;
      void turns
        .with(follow)
        .catch(notKept)
        .finally(() => {
          backlog -= 1;
        });
    });
    return reply.code(200).type("text/plain").send(CALLBACK_ANSWER);
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request.url, reply));

  function open(body: unknown): (() => Promise<void>) | null {
    try {
      return deps.openCallback(parseBody(body));
    } catch (error) {
      notKept(error);
      return null;
    }
  }

  function notKept(error: unknown): void {
    deps.log.warn({ err: wordsOf(error) }, "callback not kept");
  }
}

const answerError = (error: unknown, url: string, reply: FastifyReply): FastifyReply =>
  url.startsWith("/callbacks/")
    ? reply.code(200).type("text/plain").send(CALLBACK_ANSWER)
    : answerProblem(reply, problemOf(error) ?? new Problem("unexpected"));

/** JSON, or a form that some senders use; anything else is undefined. */
function parseBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return undefined;
  // Takes a mark at the start off, as some senders write it.
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text);
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}
