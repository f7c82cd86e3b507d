import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { Problem } from "#api/app/problems.ts";
import { openApi } from "#http/openapi/openapi.ts";
import { bucketPerSender } from "#http/server/rate-limit.ts";
import { route } from "#http/server/routes.ts";
import type { ServerDeps } from "#views/deps.ts";

/** Limit per address for the description, which is large and does not require sign-in. */
const RATE = { perSecond: 1, burst: 60 };

/**
 * Registers the description of the API, the only route of this app. The version of payrun
 * determines its content.
 */
export async function apiDescription(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  const description = openApi();
  const text = JSON.stringify(description);
  const tag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  const mayLoad = bucketPerSender(RATE, () => deps.clock.monotonicMs());

  app.addHook("preHandler", async ({ headers, ip }, reply) => {
    const isKnown = headers["if-none-match"]?.includes(tag) ?? false;
    if (!isKnown && !mayLoad(ip)) {
      throw new Problem("too_many_requests", {}, { "retry-after": "1" });
    }
    // Weak, because it is the same for each compression.
    reply.headers({ "cache-control": "no-cache", etag: `W/${tag}` });
    if (isKnown) return reply.code(304).send();
  });
  route(app, deps, "GET /api/openapi.json", async ({ reply }) => {
    reply.type("application/json; charset=utf-8").serializer(() => text);
    return description;
  });
}
