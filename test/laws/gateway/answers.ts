import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { codesIn, readPayoutAnswer } from "#gateway/payout-answers.ts";
import {
  ACCEPTED,
  anyBody,
  errorPart,
  knownCode,
  message,
  status,
  success,
} from "./answer-bodies.ts";
import { law } from "../base/law.ts";
import { ERROR_CODES } from "#gateway/error-codes.ts";

const DECLINED = Object.keys(ERROR_CODES).filter((code) => ERROR_CODES[code]?.kind === "declined");

const read = (status: number, body: string) =>
  readPayoutAnswer({ status, body, dateOffsetMs: 0 }).outcome;

/**
 * The code extracted from a message without the product's own parser, so that the parser does not
 * judge itself.
 */
const named = (body: string): Set<string> => new Set(body.match(/\d+/g));

export const ANSWER_LAWS = [
  law("any answer is read without an exception", fc.tuple(status, anyBody), ([code, body]) => {
    const { kind } = read(code, body);
    ok(["accepted", "duplicate", "declined", "deferred", "in_doubt"].includes(kind));
  }),
  law(
    "only the documented sentence, complete, alone and on 2xx, is acceptance (F47)",
    fc.tuple(status, anyBody),
    ([code, body]) => {
      if (read(code, body).kind !== "accepted") return;
      const { message: text, error } = JSON.parse(body);
      ok(code >= 200 && code < 300 && error == null);
      equal(
        String(text)
          .replace(/^\[WD\]\s*/i, "")
          .trim()
          .toLowerCase(),
        ACCEPTED,
      );
    },
  ),
  law("only a single documented refusal declines", fc.tuple(status, anyBody), ([code, body]) => {
    const outcome = read(code, body);
    if (outcome.kind !== "declined") return;
    ok(DECLINED.includes(outcome.code) && named(body).has(outcome.code));
    ok(code !== 401 && (code < 300 || code >= 400));
    JSON.parse(body);
  }),
  law(
    "no answer without a documented code declines or defers, except HTTP 401",
    fc.tuple(status, anyBody),
    ([code, body]) => {
      fc.pre(![...named(body)].some((number) => Object.hasOwn(ERROR_CODES, number)));
      const { kind } = read(code, body);
      ok(kind === "accepted" || kind === (code === 401 ? "deferred" : "in_doubt"));
    },
  ),
  law(
    "the success flag changes nothing, because refusals also carry it",
    fc.tuple(status, message, errorPart, success, success),
    ([code, text, error, flag, other]) => {
      const body = (value: unknown) => JSON.stringify({ success: value, message: text, error });
      deepEqual(read(code, body(flag)), read(code, body(other)));
      deepEqual(read(code, body(flag)), read(code, JSON.stringify({ message: text, error })));
    },
  ),
  law(
    "undocumented fields change nothing",
    fc.tuple(status, message, errorPart, fc.string({ minLength: 1 }), fc.jsonValue()),
    ([code, text, error, name, value]) => {
      fc.pre(!["message", "error", "__proto__"].includes(name));
      deepEqual(
        read(code, JSON.stringify({ [name]: value, message: text, error })),
        read(code, JSON.stringify({ message: text, error })),
      );
    },
  ),
  law(
    "a truncated answer is doubt (F44)",
    fc.tuple(message, errorPart, fc.nat()),
    ([text, error, cut]) => {
      const body = JSON.stringify({ success: true, message: text, error });
      equal(read(200, body.slice(0, cut % body.length)).kind, "in_doubt");
    },
  ),
  law(
    "a repeated name is doubt, whichever value was meant",
    fc.tuple(message, message),
    ([one, other]) => {
      equal(
        read(200, `{"message":${JSON.stringify(one)},"message":${JSON.stringify(other)}}`).kind,
        "in_doubt",
      );
    },
  ),
  law(
    "two documented codes are doubt, in whatever parts of the answer",
    fc.tuple(knownCode, knownCode, fc.boolean()),
    ([one, other, apart]) => {
      fc.pre(one !== other);
      const body = apart
        ? { message: `x, error code ${one}`, error: { code: other } }
        : { message: `error code ${one}, error code ${other}` };
      equal(read(200, JSON.stringify(body)).kind, "in_doubt");
    },
  ),
  law(
    "an undocumented code is doubt (F48)",
    fc.tuple(status, fc.integer({ min: 0, max: 9_999 })),
    ([code, number]) => {
      fc.pre(code !== 401 && !Object.hasOwn(ERROR_CODES, String(number)));
      equal(read(code, JSON.stringify({ message: `x, error code ${number}` })).kind, "in_doubt");
    },
  ),
  law(
    "a redirect and a server error accept nothing and prove no duplicate (F39)",
    fc.tuple(
      fc.oneof(fc.integer({ min: 300, max: 399 }), fc.integer({ min: 500, max: 599 })),
      anyBody,
    ),
    ([code, body]) => {
      ok(!["accepted", "duplicate"].includes(read(code, body).kind));
      if (code < 400) equal(read(code, body).kind, "in_doubt");
    },
  ),
  law(
    "a page instead of an answer is doubt, whatever its content (F42)",
    fc.tuple(status, message),
    ([code, text]) => {
      fc.pre(code !== 401);
      equal(read(code, `<html><body>${text}</body></html>`).kind, "in_doubt");
    },
  ),
  law(
    "a code joined to other words refuses nothing by itself (F48)",
    fc.tuple(status, knownCode, message, message, fc.boolean()),
    ([status, code, before, after, isBefore]) => {
      fc.pre(codesIn(`${before} ${after}`).length === 0);
      const text = isBefore ? `${before}a error code ${code}` : `error code ${code} b${after}`;
      const { kind } = read(status, JSON.stringify({ message: text }));
      ok([400, 401, 422].includes(status) || (kind !== "declined" && kind !== "deferred"));
    },
  ),
  law(
    "a documented code means the same in every spelling (F118)",
    fc.tuple(
      knownCode,
      fc.constantFrom("error code ", "Error Code: ", "ERROR  CODE", "error\tcode :"),
      fc.constantFrom("", "[WD] ", "Failed,, "),
    ),
    ([code, words, start]) => {
      const expected = read(200, JSON.stringify({ message: `error code ${code}` })).kind;
      for (const body of [
        { message: `${start}${words}${code}` },
        { message: "Refused", error: { code } },
        { error: { message: `${words}${code}` } },
        { error: `${words}${code}` },
      ]) {
        equal(read(400, JSON.stringify(body)).kind, expected);
      }
      deepEqual(codesIn(`${start}${words}${code}`), [code]);
    },
  ),
];
