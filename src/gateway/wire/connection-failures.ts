import type { NotAcceptedOutcome } from "#payout/outcome.ts";

/**
 * Decides which failures of a connection prove that no byte of the request left (F34), and which do
 * not (F35, F38). Proven means that the socket was never connected, or TLS never completed.
 */

/**
 * Error code and the system call that it must come from: the same code from `write` on a live
 * connection proves nothing.
 */
const NOT_SENT_ERRORS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connect"],
  ["EHOSTUNREACH", "connect"],
  ["ENETUNREACH", "connect"],
  ["EHOSTDOWN", "connect"],
  ["ENETDOWN", "connect"],
  ["EADDRNOTAVAIL", "connect"],
  ["ETIMEDOUT", "connect"],
  // This machine provided no socket, or blocks outgoing connections.
  ["EMFILE", "connect"],
  ["ENFILE", "connect"],
  ["ENOBUFS", "connect"],
  ["EACCES", "connect"],
  ["EPERM", "connect"],
  ["ENOTFOUND", "getaddrinfo"],
  ["EAI_AGAIN", "getaddrinfo"],
]);

/** The certificate is checked before a request is written. */
const CERTIFICATE_ERRORS: ReadonlySet<string> = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_REJECTED",
  "CERT_UNTRUSTED",
  "CERT_SIGNATURE_FAILURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/**
 * The stored part of a failure. The HTTP client's own error contains the request's body and
 * headers, and is not passed on.
 */
export interface Failure {
  readonly code: string;
  readonly proof: "not_sent" | "none";
}

interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly errors?: unknown;
  readonly message?: unknown;
}

/** Classifies a network error: whether it proves that the request was not sent. */
export function failureOf(thrown: unknown): Failure {
  const error = Object(thrown) as SystemError;
  return { code: codeOf(error), proof: wasNeverSent(error) ? "not_sent" : "none" };
}

/** Codes of the HTTP client for what the system, or this program, calls differently. */
const CLIENT_CODES: ReadonlyMap<string, string> = new Map([
  ["UND_ERR_SOCKET", "ECONNRESET"],
  ["UND_ERR_DESTROYED", "ECONNRESET"],
  ["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"],
  ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "too_large"],
]);

function codeOf({ code, message }: SystemError): string {
  if (typeof code !== "string") return "no_code";
  // The client ends a connection whose server switches protocols, and names it only in the message.
  if (code === "UND_ERR_SOCKET" && message === "bad upgrade") return "http_101";
  return CLIENT_CODES.get(code) ?? code;
}

function wasNeverSent(error: SystemError): boolean {
  // Node tries the addresses of a host in turn and returns all failures together.
  if (Array.isArray(error.errors) && error.errors.length > 0) {
    return error.errors.every((one) => wasNeverSent(Object(one) as SystemError));
  }
  if (typeof error.code !== "string") return false;
  if (CERTIFICATE_ERRORS.has(error.code)) return true;
  // The client's own limit for a connection, before which it writes no request.
  if (error.code === "UND_ERR_CONNECT_TIMEOUT") return true;
  const call = NOT_SENT_ERRORS.get(error.code);
  return call !== undefined && error.syscall === call;
}

/** Describes a request without an answer that could be read completely. */
export const failureText = ({ code }: Pick<Failure, "code">): string =>
  code === "too_large" ? "the response is longer than 256 kB" : `no response (${code})`;

/**
 * Returns the outcome of an attempt that failed on the network. In doubt unless proven not sent.
 */
export function outcomeOfFailure({ code, proof }: Failure): NotAcceptedOutcome {
  if (proof === "none") {
    return { kind: "in_doubt", code: "no_answer", text: failureText({ code }) };
  }
  const text = `not sent (${code})`;
  const stop = { until: "wait", reason: `gateway unreachable (${code})` } as const;
  return { kind: "deferred", code: "not_sent", text, stop };
}
