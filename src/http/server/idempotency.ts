import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { withLock } from "#ledger/store/advisory-locks.ts";
import {
  beginRequest,
  type EarlierRequest,
  findRequest,
  deleteRequest,
  storeAnswer,
  renewRequest,
  type Request,
} from "#ledger/store/idempotency.ts";
import { messageOf } from "#base/log.ts";

type IdempotencyDeps = Pick<ServerDeps, "clock" | "database" | "log" | "sealer">;

/**
 * Milliseconds between renewals: several occur in the time after which a request without its owner
 * counts as abandoned.
 */
const RENEWED_EVERY_MS = 2_000;
const KEY = /^[\x21-\x7e]{1,200}$/;

/**
 * Answers a request that creates something. With an Idempotency-Key, the same request again gets
 * the same answer and creates nothing. Without one the request is simply executed.
 */
export async function answerOnce(
  desk: IdempotencyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  fileDigest: string | null,
  create: () => Promise<unknown>,
): Promise<unknown> {
  const made = requestOf(request, fileDigest);
  if (!made) return create();
  const { database } = desk;
  // The owner holds a lock for as long as it works. The lock of a killed process is released with
  // its database session.
  const created = await withLock(database, `request ${made.person} ${made.key}`, async () => ({
    answer: await createOnce(desk, reply, made, create),
  }));
  if (created) return created.answer;
  const earlier = await findRequest(database, desk.sealer, made);
  if (earlier.kind === "new") throw requestRunning();
  return answerOf(earlier, reply);
}

const requestRunning = () => new Problem("request_in_progress", {}, { "retry-after": "2" });

function answerOf(earlier: Exclude<EarlierRequest, { kind: "new" }>, reply: FastifyReply): unknown {
  switch (earlier.kind) {
    case "answered":
      reply.code(earlier.status).header("idempotency-replayed", "true");
      return earlier.answer;
    case "running":
      throw requestRunning();
    case "other_request":
      throw new Problem("idempotency_key_reused", {
        detail:
          "An earlier request used this key with different content. To repeat that request, send the same content; otherwise use a new key.",
      });
  }
}

async function createOnce(
  desk: IdempotencyDeps,
  reply: FastifyReply,
  made: Request,
  create: () => Promise<unknown>,
): Promise<unknown> {
  const { database, sealer } = desk;
  const earlier = await beginRequest(database, sealer, made);
  if (earlier.kind !== "new") return answerOf(earlier, reply);
  const ended = new AbortController();
  void renewUntil(ended.signal, made, desk);
  try {
    const answer = await create();
    await storeAnswer(database, sealer, made, { status: reply.statusCode, answer });
    return answer;
  } catch (error) {
    await deleteRequest(database, made);
    throw error;
  } finally {
    ended.abort();
  }
}

async function renewUntil(
  ended: AbortSignal,
  made: Request,
  { database, clock, log }: IdempotencyDeps,
): Promise<void> {
  for (;;) {
    await clock.sleep(RENEWED_EVERY_MS, ended);
    if (ended.aborted) return;
    try {
      await renewRequest(database, made);
    } catch (error) {
      log.warn({ err: messageOf(error) }, "failed to renew the lease of a running request");
    }
  }
}

function requestOf(request: FastifyRequest, fileDigest: string | null): Request | null {
  const key = request.headers["idempotency-key"];
  const { person } = request;
  const isRequired = request.routeOptions.config.operation?.creates === "with_key";
  // A client that is not signed in has no keys of its own.
  if ((key === undefined && !isRequired) || !person) return null;
  if (typeof key !== "string" || !KEY.test(key)) {
    const message = "must be 1–200 visible characters";
    throw new Problem("invalid_request", {
      places: [{ place: "header.idempotency-key", message }],
    });
  }
  const body = fileDigest === null ? request.body : null;
  const sent = JSON.stringify([request.url, fileDigest, body], withSortedNames);
  return {
    person: person.keyOwner,
    key,
    operation: `${request.method} ${request.routeOptions.url ?? ""}`,
    digest: createHash("sha256").update(sent).digest("hex"),
  };
}

/**
 * Sorts object members: their order has no meaning in JSON, and some programs write a different one
 * each time.
 */
const withSortedNames = (_name: string, value: unknown): unknown =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
