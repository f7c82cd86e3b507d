import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { preloadsOf, readManifest } from "#http/app/page-preloads.ts";

/** The folder in which `npm run build` puts the dashboard. */
const BUILT = join(import.meta.dirname, "../../../dashboard/dist");

/**
 * Addresses of pages. The server's own addresses, except the API documentation, and those that look
 * like files are excluded.
 */
const PAGE =
  /^\/(?!(?:api(?!\/docs(?:\/[\w-]*)?$)|callbacks|pay|assets|queues|healthz|readyz)(?:\/|$))[^.]*$/;
const SCRIPT_OR_STYLES = /^(?:application\/javascript|text\/css)/;
/**
 * Headers that browsers read only on pages. Over HTTP/1.1 they are half a kilobyte of each of the
 * twenty files of a first visit.
 */
const PAGE_HEADERS = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "origin-agent-cluster",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-frame-options",
  "x-permitted-cross-domain-policies",
  "x-xss-protection",
];
const SESSION_COOKIE = /\bpayrun=/;
const REFUSED = new Set<unknown>([400, 403]);
const NOT_BUILT = "The dashboard has not been built. Run npm run build.\n";

/**
 * Serves the built dashboard. Its file names contain digests and the files never change, so they
 * may be cached forever. Its one HTML page answers the address of every page, with the nonce of the
 * answer for the styles that it creates.
 */
export async function staticRoutes(app: FastifyInstance, folder = BUILT): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(folder, "assets"),
    prefix: "/assets/",
    index: false,
    immutable: true,
    maxAge: "365d",
    // The build writes a Brotli and a gzip copy of each script and style sheet.
    preCompressed: true,
  });
  app.addHook("onSend", async (_request, reply) => {
    if (!SCRIPT_OR_STYLES.test(String(reply.getHeader("content-type")))) return;
    for (const name of PAGE_HEADERS) reply.removeHeader(name).raw.removeHeader(name);
  });
  // An address without a file, or one that leads out of the folder, gets the same answer as any
  // other unknown address.
  app.setErrorHandler(async (error, _request, reply) => {
    const isAddress =
      error instanceof Error && "statusCode" in error && REFUSED.has(error.statusCode);
    if (!isAddress) throw error;
    reply.callNotFound();
    return reply;
  });
  app.get("/*", async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    if (!PAGE.test(path)) return reply.callNotFound();

    const page = await readFile(join(folder, "index.html"), "utf8").catch(() => null);
    if (page === null) return reply.code(503).type("text/plain").send(NOT_BUILT);
    const isSignedIn = SESSION_COOKIE.test(request.headers.cookie ?? "");
    const preloads = preloadsOf(request.url, await readManifest(folder), isSignedIn);
    return reply
      .header("cache-control", "no-store")
      .type("text/html; charset=utf-8")
      .send(
        page.replaceAll("__NONCE__", reply.cspNonce.style).replace("</head>", `${preloads}</head>`),
      );
  });
}
