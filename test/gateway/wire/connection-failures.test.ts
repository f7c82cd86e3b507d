import { errors } from "undici";
import { describe, expect, test } from "vitest";
import { failureOf, outcomeOfFailure } from "#gateway/wire/connection-failures.ts";

const failed = (code: string, syscall?: string) =>
  Object.assign(new Error("it failed"), { code, syscall });

describe("failures that prove a request was not sent (F34, F35, F38)", () => {
  test.each([
    ["ECONNREFUSED", "connect"],
    ["EHOSTUNREACH", "connect"],
    ["ENETUNREACH", "connect"],
    ["ETIMEDOUT", "connect"],
    ["ENOTFOUND", "getaddrinfo"],
    ["EAI_AGAIN", "getaddrinfo"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", undefined],
    ["CERT_HAS_EXPIRED", undefined],
    ["ERR_TLS_CERT_ALTNAME_INVALID", undefined],
    ["EHOSTDOWN", "connect"],
    ["ENETDOWN", "connect"],
    ["EADDRNOTAVAIL", "connect"],
    ["EMFILE", "connect"],
    ["ENFILE", "connect"],
    ["ENOBUFS", "connect"],
    ["EACCES", "connect"],
    ["EPERM", "connect"],
    ["CERT_NOT_YET_VALID", undefined],
    ["CERT_REVOKED", undefined],
    ["CERT_REJECTED", undefined],
    ["CERT_UNTRUSTED", undefined],
    ["CERT_SIGNATURE_FAILURE", undefined],
    ["SELF_SIGNED_CERT_IN_CHAIN", undefined],
    ["UNABLE_TO_GET_ISSUER_CERT", undefined],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", undefined],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", undefined],
  ])("include %s of %s", (code, syscall) => {
    const failure = failureOf(failed(code, syscall));
    expect(failure).toEqual({ code, proof: "not_sent" });
    expect(outcomeOfFailure(failure)).toMatchObject({
      kind: "deferred",
      code: "not_sent",
      text: `not sent (${code})`,
      stop: { until: "wait" },
    });
  });

  test.each([
    ["ECONNRESET", "read"],
    ["ECONNRESET", undefined],
    ["EPIPE", "write"],
    ["EHOSTUNREACH", "read"],
    ["EHOSTUNREACH", undefined],
    ["ECONNREFUSED", undefined],
    ["ETIMEDOUT", "read"],
    ["ETIMEDOUT", undefined],
    ["HPE_INVALID_CONSTANT", undefined],
    ["EPROTO", "write"],
    ["EMFILE", "open"],
    ["EPERM", "write"],
    ["valueOf", "connect"],
  ])("exclude %s of %s", (code, syscall) => {
    const failure = failureOf(failed(code, syscall));
    expect(failure.proof).toBe("none");
    expect(outcomeOfFailure(failure)).toEqual({
      kind: "in_doubt",
      code: "no_answer",
      text: `no response (${code})`,
    });
  });

  test("exclude an answer that is too long, which is named", () => {
    expect(outcomeOfFailure({ code: "too_large", proof: "none" })).toEqual({
      kind: "in_doubt",
      code: "no_answer",
      text: "the response is longer than 256 kB",
    });
  });

  test("count for several addresses only together", () => {
    const refused = { code: "ECONNREFUSED", syscall: "connect" };
    const together = (...errors: object[]) =>
      Object.assign(new AggregateError(errors), { code: "ECONNREFUSED" });
    const both = together(refused, refused);
    const one = together(refused, { code: "ECONNRESET", syscall: "read" });
    const none = { code: "EPIPE", errors: [] };
    expect(failureOf(both).proof).toBe("not_sent");
    expect(failureOf(one).proof).toBe("none");
    expect(failureOf(none).proof).toBe("none");
  });

  test.each([
    [new errors.SocketError("other side closed"), "ECONNRESET"],
    [new errors.SocketError("bad upgrade"), "http_101"],
    [new errors.ResponseExceededMaxSizeError(), "too_large"],
    [new errors.ClientDestroyedError(), "ECONNRESET"],
  ])("exclude what the HTTP client reports as %s, which is named %s", (error, code) => {
    expect(failureOf(error)).toEqual({ code, proof: "none" });
  });

  test("reduces any thrown value to a code", () => {
    for (const thrown of [undefined, null, "text", 7, new Error("with a body"), { code: 7 }]) {
      expect(failureOf(thrown)).toEqual({ code: "no_code", proof: "none" });
    }
  });
});
