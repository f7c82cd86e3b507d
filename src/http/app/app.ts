import { type FastifyInstance, type FastifyReply, fastify } from "fastify";
import { systemClock } from "#base/clock.ts";
import { DURATIONS } from "#base/telemetry/histograms.ts";
import { RequestSlots } from "#flows/request-slots.ts";
import { bucketPerSender } from "#http/server/rate-limit.ts";
import { HEADERS_WITHIN_MS, limitConnections, CHECK_EVERY_MS } from "#http/server/connections.ts";
import type { ServerDeps } from "#views/deps.ts";
import { dashboardApp } from "#http/app/dashboard-app.ts";
import { refuseRepeatedHeaders } from "#http/server/hosts.ts";
import { payPages } from "#http/deposit/payment-page.ts";
import { answerProblem, BODY_BYTES_MAX, problemOf } from "#http/server/problems.ts";
import { Problem } from "#api/app/problems.ts";
import { type Log, messageOf } from "#base/log.ts";

export interface AppDeps {
  readonly log: Log;
  /**
   * Opens a callback and returns the work to do for it. Null: not a valid callback of one of our
   * merchants; it is dropped.
   */
  readonly openCallback: (body: unknown) => (() => Promise<void>) | null;
  /** Returns the problems of this process. Empty: it can work. */
  readonly health: () => Promise<readonly string[]>;
  /**
   * Milliseconds within which a body must arrive that is not an uploaded file. Default: half a
   * minute.
   */
  readonly bodyWithinMs?: number;
  /** Maximum number of open connections per address. Default: 500. */
  readonly connectionsMax?: number;
  /** The API and the pages. Without it the server has only callbacks and health checks. */
  readonly dashboard?: ServerDeps;
}

/** The documented answer of an operator to a callback (docs/reference/gateway.md section 8). */
const CALLBACK_ANSWER = "success";
const BODY_WITHIN_MS = 30_000;
/** Time for the upload of a large file over a slow connection, in milliseconds. */
const UPLOAD_WITHIN_MS = 3_600_000;
/**
 * Maximum number of opened callbacks that wait to be stored. Any others are dropped: a status query
 * finds what they reported (F74).
 */
const BACKLOG_MAX = 1_000;
/**
 * Number of callbacks that are stored concurrently. Half of the database connections remain for
 * people, sweeps and notices.
 */
const STORED_AT_ONCE = 3;
/**
 * Limit per address. A gateway has few addresses, and reports payouts as fast as it accepts them;
 * callbacks above the limit are not opened.
 */
const CALLBACK_RATE = { perSecond: 1_000, burst: 5_000 };

/** Creates payrun's HTTP server: callbacks of the gateway, two health checks, and the dashboard. */
export function createApp(deps: AppDeps): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: UPLOAD_WITHIN_MS,
    http: { headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: CHECK_EVERY_MS },
    trustProxy: deps.dashboard?.config.TRUSTED_PROXIES ?? false,
    // The address of a payment contains no escaped characters. An address with one leads nowhere,
    // and gets the same answer as other unknown addresses.
    rewriteUrl: ({ url = "/" }) => (/^\/pay\/[^?]*%/.test(url) ? "/pay/" : url),
    // An address that cannot be decoded never reaches a route.
    frameworkErrors: (error, request, reply) => {
      void answerError(error, request.url, reply);
    },
  });
  app.addHook("onResponse", async ({ method, routeOptions }, reply) => {
    // An address that leads nowhere has no route, and may contain anything.
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    DURATIONS.http.record(reply.elapsedTime / 1_000, method, routeOptions.url ?? "none", status);
  });
  app.addHook("onRequest", async (request) => refuseRepeatedHeaders(request));
  limitConnections(app, {
    bodyWithinMs: deps.bodyWithinMs ?? BODY_WITHIN_MS,
    trustedProxies: deps.dashboard?.config.TRUSTED_PROXIES,
    ...(deps.connectionsMax && { connectionsMax: deps.connectionsMax }),
  });
  void app.register(async (scope) => callbacks(scope, deps));

  app.setErrorHandler((error, request, reply) => answerError(error, request.url, reply));
  /** Liveness: the process runs. */
  app.get("/healthz", async () => ({ status: "ok" }));
  /** Readiness: the process can work, with its database, queue and sweep. */
  app.get("/readyz", async (_request, reply) => {
    const problems = await deps.health();
    return reply
      .code(problems.length === 0 ? 200 : 503)
      .send({ status: problems.length === 0 ? "ok" : "unready", problems });
  });
  const { dashboard } = deps;
  if (dashboard) {
    void app.register(async (scope) => payPages(scope, dashboard));
    void app.register(async (scope) => dashboardApp(scope, dashboard));
  }
  return app;
}

/** Registers the callback routes. They have their own parser and answer, and accept any request. */
function callbacks(app: FastifyInstance, deps: AppDeps): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  let backlog = 0;
  const turns = new RequestSlots(STORED_AT_ONCE);
  const mayCome = bucketPerSender(CALLBACK_RATE, () => systemClock.monotonicMs());
  // The same answer for every request, sent before the request is examined: neither status, body
  // nor time shows the sender whether the cipher opened, the code is known, or the payout has
  // finished (F111).
  app.all("/callbacks/*", async (request, reply) => {
    const { body, ip } = request;
    setImmediate(() => {
      if (!mayCome(ip)) return;
      const follow = open(body);
      if (follow === null || backlog >= BACKLOG_MAX) return;
      backlog += 1;
      void turns
        .withSlot(follow)
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
    deps.log.warn({ err: messageOf(error) }, "failed to store a callback");
  }
}

const answerError = (error: unknown, url: string, reply: FastifyReply): FastifyReply =>
  url.startsWith("/callbacks/")
    ? reply.code(200).type("text/plain").send(CALLBACK_ANSWER)
    : answerProblem(reply, problemOf(error) ?? new Problem("unexpected"));

/** Parses JSON, or the form encoding that some senders use. Returns undefined for anything else. */
function parseBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return undefined;
  // Removes a byte order mark, which some senders write.
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text);
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}
