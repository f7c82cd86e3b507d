import type { FastifyReply } from "fastify";
import { Problem, type ProblemCode } from "#api/app/problems.ts";
import { outageOf } from "#ledger/store/outage.ts";
import type { Result } from "#base/result.ts";

/**
 * The authentication scheme that RFC 9110 requires with every 401. No browser shows a dialog for
 * it.
 */
const CHALLENGE = { "www-authenticate": 'Bearer realm="payrun"' };

/** Sends a problem as application/problem+json (RFC 9457). */
export const answerProblem = (reply: FastifyReply, problem: Problem): FastifyReply =>
  reply
    .code(problem.status)
    .headers(problem.status === 401 ? { ...CHALLENGE, ...problem.headers } : problem.headers)
    .type("application/problem+json")
    .send(JSON.stringify(problem.document()));

/** Returns the value of a flow's result, or throws its error as a {@link Problem}. */
export function orRefuse<T>(
  done: Result<T, ProblemCode | { readonly code: ProblemCode; readonly detail: string }>,
): T {
  if (done.ok) return done.value;
  if (typeof done.error === "string") throw new Problem(done.error);
  throw new Problem(done.error.code, { detail: done.error.detail });
}

/** Maximum size in bytes of a body that is not an uploaded file. */
export const BODY_BYTES_MAX = 64 * 1024;

/**
 * Refusals of the framework and its plugins by status. A 4xx that is not listed is an invalid
 * request.
 */
const FRAMEWORK: Readonly<Record<number, ProblemCode>> = {
  403: "not_found", // a path that leads out of the folder of files
  404: "not_found",
  413: "too_large",
  414: "not_found", // a part of the path is longer than any ID
  415: "unsupported_type",
};

function frameworkCode(error: Error): ProblemCode | null {
  const status = "statusCode" in error ? Number(error.statusCode) : 0;
  return status >= 400 && status < 500 ? (FRAMEWORK[status] ?? "invalid_request") : null;
}

/**
 * Converts an error to a problem. Null: the error is a fault, not a refusal.
 *
 * @param bodyBytesMax limit of the operation for a body that is not an uploaded file.
 */
export function problemOf(error: unknown, bodyBytesMax = BODY_BYTES_MAX): Problem | null {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return null;
  const outage = outageOf(error);
  if (outage) {
    // It is unknown whether a commit whose answer was lost took effect.
    const detail = `${outage.says}. If you requested a change, it may or may not have been made: check before you repeat the request.`;
    return new Problem("database_unavailable", { detail });
  }
  const code = frameworkCode(error);
  if (code === null) return null;
  if (code === "not_found") return new Problem(code);
  const isTooLarge = code === "too_large";
  const detail = isTooLarge
    ? `A request body that is not an uploaded file must not exceed ${bodyBytesMax} bytes.`
    : error.message;
  return new Problem(code, { detail });
}
