import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { Problem } from "#api/app/problems.ts";
import { openApi } from "#http/openapi/openapi.ts";
import { allowRoutes } from "#http/server/access.ts";
import { bucketPerSender } from "#http/server/rate-limit.ts";
import { route } from "#http/server/routes.ts";
import type { ServerDeps } from "#views/deps.ts";

/** Limit per address for the description, which is large and does not require sign-in. */
const RATE = { perSecond: 1, burst: 60 };
/** The viewer names the problem document, its only schema, "Errors". */
const STYLES = readFileSync(join(import.meta.dirname, "api-docs.css"), "utf8");
/** Addresses of the description. The version of payrun determines its content. */
const DOCUMENTS: ReadonlySet<unknown> = new Set([
  "/api/openapi.json",
  "/api/docs/json",
  "/api/docs/yaml",
]);

/** Registers the description of the API and the page that shows it. */
export async function apiDocs(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  const description = openApi();
  const text = JSON.stringify(description);
  const tag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  const mayLoad = bucketPerSender(RATE, () => deps.clock.monotonicMs());

  app.addHook("preHandler", async ({ headers, ip, routeOptions }, reply) => {
    if (!DOCUMENTS.has(routeOptions.url)) return;
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
  await app.register(async (page) => {
    allowRoutes(page, "signed_in");
    await page.register(swagger, { mode: "static", specification: { document: description } });
    await page.register(swaggerUi, {
      routePrefix: "/api/docs",
      theme: { title: "payrun API", css: [{ filename: "payrun.css", content: STYLES }] },
      // Hides the top bar of the viewer. Only GET requests can be tried: changes need the token of
      // one of our own pages.
      uiConfig: {
        layout: "BaseLayout",
        supportedSubmitMethods: ["get"],
        defaultModelsExpandDepth: 2,
      },
    });
  });
}
