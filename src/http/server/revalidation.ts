import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiOperation } from "#api/app/operation.ts";
import { Session } from "#api/app/session.ts";

/**
 * Sends the JSON document of a read with its entity tag, or only status 304 if the client has the
 * same document. The document is computed and the permission checked for every request.
 */
export function sendRevalidated(
  request: FastifyRequest,
  reply: FastifyReply,
  document: unknown,
): FastifyReply {
  // The description of the API sets its own tag.
  if (reply.hasHeader("etag")) return reply.send(document);
  const text = JSON.stringify(document);
  const tag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  // Weak, because it is the same for each compression.
  reply.header("etag", `W/${tag}`);
  if (isKnown(request.headers["if-none-match"], tag)) return reply.code(304).send();
  return reply.type("application/json; charset=utf-8").send(text);
}

/** Whether the answers of an operation have an entity tag: reads without a secret. */
export const isRevalidated = (method: string, { secret, answer }: ApiOperation): boolean =>
  method === "GET" && !secret && answer !== Session && typeof answer !== "string";

const isKnown = (known: string | undefined, tag: string): boolean =>
  known?.split(",").some((each) => each.trim().replace(/^W\//, "") === tag) ?? false;
