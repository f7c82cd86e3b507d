import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { failureOf, outcomeOfFailure } from "#gateway/wire/connection-failures.ts";
import { redact } from "#gateway/wire/redact.ts";
import { law } from "../base/law.ts";
import { merchant } from "../base/merchant.ts";

export const FAILURE_LAWS = [
  law(
    "only a failed connection or lookup proves that a request was not sent, no other thrown value (F34, F35)",
    fc.record({
      code: fc.oneof(
        fc.constantFrom(
          "ECONNRESET",
          "EPIPE",
          "ETIMEDOUT",
          "ECONNREFUSED",
          "ENOTFOUND",
          "CERT_HAS_EXPIRED",
        ),
        fc.string(),
      ),
      syscall: fc.constantFrom(undefined, "read", "write", "connect", "getaddrinfo"),
    }),
    ({ code, syscall }) => {
      const failure = failureOf(Object.assign(new Error("canary-7f3a"), { code, syscall }));
      const isBefore =
        syscall === "connect" || syscall === "getaddrinfo" || code.startsWith("CERT_");
      if (!isBefore) equal(failure.proof, "none");
      equal(outcomeOfFailure(failure).kind, failure.proof === "none" ? "in_doubt" : "deferred");
      ok(!JSON.stringify(failure).includes("canary"));
    },
  ),
  law("a thrown value proves nothing, and only its code is kept", fc.anything(), (thrown) => {
    const failure = failureOf(thrown);
    deepEqual(Object.keys(failure).toSorted(), ["code", "proof"]);
    equal(failure.proof, "none");
  }),
  law(
    "no account number and no key remains in the gateway's words (I14)",
    fc.tuple(fc.string(), fc.stringMatching(/^[0-9]{2}( ?[0-9]{2}[.-]?){3,12}$/), fc.string()),
    ([before, digits, after]) => {
      const kept = redact(
        `${before}${digits} ${merchant.apiKey.reveal()} ${merchant.apiSecret.reveal()}${after}`,
        merchant,
      );
      ok(!/\d(?:[ .\-/]?\d){5}/.test(kept));
      ok(!kept.includes(merchant.apiKey.reveal()) && !kept.includes(merchant.apiSecret.reveal()));
    },
  ),
  law(
    "the stored words of the gateway are one short line",
    fc.string({ unit: "binary", maxLength: 2_000 }),
    (text) => {
      const kept = redact(text, merchant);
      ok(kept.length <= 200 && !/[\p{Cc}\u2028\u2029]/u.test(kept));
    },
  ),
];
