import { constants } from "node:zlib";
import compress from "@fastify/compress";
import type { FastifyInstance } from "fastify";
import type { ApiOperation } from "#api/app/operation.ts";
import { Session } from "#api/app/session.ts";

/** Answers with fewer bytes are sent as they are: compression would save less than one packet. */
const BYTES_MIN = 1_024;
/**
 * Longer answers are compressed piece by piece in another thread. Shorter ones take at most two
 * milliseconds, such as a page of 200 payouts (71 kB).
 */
const AT_ONCE_BYTES_MAX = 128 * 1_024;
/**
 * Quality for answers that are compressed once per request. The window of 64 kB lets a download
 * start after 170 kB; with the default of 4 MB, Brotli would hold back the first 8 MB.
 */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 },
};
const TYPES =
  /^(?:text\/(?:html|css|csv|javascript|plain)|application\/(?:json|problem\+json|jsonl|javascript))(?:;|$)/;

/**
 * Compresses the answers of all routes that are registered afterwards, except event streams and
 * answers that contain a secret.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  app.addHook("onRoute", (route) => {
    if (!isCompressed(route.config?.operation)) route.compress = false;
  });
  app.addHook("onRequest", async ({ routeOptions: { config } }, reply) => {
    // Uncompressed answers also have this header: caches must not send them to every client.
    if (isCompressed(config.operation)) reply.header("vary", "accept-encoding");
  });
  // The problem sent for a download that fails before its first byte is not compressed.
  app.addHook("onError", async (_request, reply) => {
    if (reply.raw.headersSent) return;
    reply.removeHeader("content-encoding");
    reply.raw.removeHeader("content-encoding");
  });
  await app.register(compress, {
    encodings: ["br", "gzip"],
    // Uploaded files are read as they are. A small compressed body could become a huge one.
    globalDecompression: false,
    threshold: BYTES_MIN,
    syncThreshold: AT_ONCE_BYTES_MAX,
    customTypes: TYPES,
    brotliOptions: BROTLI,
  });
}

/**
 * Whether the answers of an operation may be compressed. The length of a compressed answer reveals
 * whether a text of an attacker repeats a part of a secret in the same answer (BREACH), so answers
 * with secrets are never compressed.
 */
const isCompressed = (operation: ApiOperation | undefined): boolean =>
  !operation?.secret && operation?.answer !== Session && operation?.answer !== "events";
