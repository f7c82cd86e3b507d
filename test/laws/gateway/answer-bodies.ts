import fc from "fast-check";
import { REFUSAL_TEXTS } from "#simulator/faults/texts.ts";
import { ERROR_CODES } from "#gateway/error-codes.ts";

/* Responses of gateways, proxies and crashed programs, built from the words that payrun reads. */

export const ACCEPTED = "request withdraw successful";
export const status = fc.oneof(
  fc.constantFrom(200, 201, 206, 301, 302, 400, 401, 403, 404, 422, 429, 500, 502, 503),
  fc.integer({ min: 200, max: 599 }),
);
export const success = fc.constantFrom(true, false, "true", null, 0);
export const knownCode = fc.constantFrom(...Object.keys(ERROR_CODES));
const anyCode = fc.oneof(knownCode, fc.integer({ min: 0, max: 99_999 }).map(String));

/** The words of answers in any order and number. */
export const message = fc.oneof(
  fc.constantFrom(ACCEPTED, `[WD] ${ACCEPTED}`, `${ACCEPTED}!`, ...Object.values(REFUSAL_TEXTS)),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ACCEPTED,
          "[WD]",
          "error code",
          "error",
          "code",
          "Transaction not found",
          "<html>",
        ),
        anyCode,
        fc.string({ maxLength: 5 }),
      ),
      { maxLength: 6 },
    )
    .map((words) => words.join(" ")),
  fc.string({ unit: "binary" }),
);
export const errorPart = fc.oneof(
  fc.constantFrom(undefined, null, "", {}),
  fc.record(
    { code: fc.oneof(anyCode, anyCode.map(Number), fc.constant(null)), message },
    { requiredKeys: [] },
  ),
  message,
  fc.jsonValue(),
);
const answerBody = fc
  .record(
    { success, message, error: errorPart, data: fc.jsonValue(), extra: fc.jsonValue() },
    { requiredKeys: [] },
  )
  .map((body) => JSON.stringify(body));
/**
 * Every possible response: answers of all kinds, other JSON, pages, bytes, and truncated versions.
 */
export const anyBody = fc
  .tuple(
    fc.oneof(
      answerBody,
      fc.json(),
      fc.string({ unit: "binary" }),
      message.map((text) => `<html><body>${text}</body></html>`),
    ),
    fc.option(fc.nat()),
  )
  .map(([body, cut]) => (cut === null ? body : body.slice(0, cut % (body.length + 1))));
