import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { readStatusAnswer } from "#gateway/status-answer.ts";
import { anyBody, knownCode, message, status } from "./answer-bodies.ts";
import { law } from "../base/law.ts";

const CODE = "WD-0001";
const ask = (status: number, body: string) => readStatusAnswer({ status, body }, CODE);

const fields = {
  transaction_code: fc.constant(CODE),
  amount: fc.oneof(
    fc.constantFrom("100.00", 100, "1e3", null),
    fc.double({ noNaN: true }),
    fc.string(),
  ),
  currency_code: fc.constantFrom("INR", "inr", "", null),
  status: fc.constantFrom(
    "pending",
    "completed",
    "SUCCESS",
    "failed",
    "manual process",
    "refunded",
    undefined,
  ),
  transaction_status: fc.constantFrom(0, 1, 2, 3, 4, 5, "2", undefined),
  transaction_no: fc.constantFrom("WD1", "DP1", null, "=1+1"),
};
const record = fc.record(fields);
const otherRecord = fc.record({
  ...fields,
  transaction_code: fc.constantFrom("WD-00011", "wd-0001", "WD-000", " WD-0001"),
});
const list = (...records: unknown[]) =>
  JSON.stringify({ success: true, message: "Request transaction list successful", data: records });

/** A list of records with another record inserted. */
const inserted = (records: readonly unknown[], one: unknown, at: number) => [
  ...records.slice(0, at),
  one,
  ...records.slice(at),
];

export const STATUS_LAWS = [
  law("a record is in one of the six states, whatever its fields", record, (ours) => {
    const answer = ask(200, list(ours));
    ok(
      answer.kind === "found" &&
        ["pending", "completed", "failed", "reversed", "manual", "unclear"].includes(
          answer.record.state,
        ),
    );
  }),
  law(
    "any status answer is read without an exception, and only a 2xx finds a record",
    fc.tuple(status, anyBody),
    ([code, body]) => {
      const answer = ask(code, body);
      if (answer.kind === "found")
        ok(code >= 200 && code < 300 && code !== 206 && answer.record.transactionCode === CODE);
    },
  ),
  law(
    "only a record of our own code is found, and only an empty list reports its absence",
    fc.tuple(fc.array(otherRecord, { maxLength: 4 }), fc.option(record), fc.nat(4)),
    ([others, ours, at]) => {
      const records = ours === null ? others : inserted(others, ours, at);
      const without = others.length === 0 ? "not_found" : "no_answer";
      equal(ask(200, list(...records)).kind, ours === null ? without : "found");
    },
  ),
  law(
    "records of other codes do not change the result for our code",
    fc.tuple(record, fc.array(otherRecord, { maxLength: 4 }), fc.nat(4)),
    ([ours, others, at]) => {
      deepEqual(ask(200, list(...inserted(others, ours, at))), ask(200, list(ours)));
    },
  ),
  law(
    "an amount is read as written, number or text, or the record is unclear (F121)",
    fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.option(fc.stringMatching(/^[0-9]{1,8}$/)), fc.boolean()),
    ([whole, part, isText]) => {
      const amount = part === null ? `${whole}` : `${whole}.${part}`;
      const body = `{"data":[{"transaction_code":"${CODE}","status":"completed","currency_code":"INR","amount":${isText ? `"${amount}"` : amount}}]}`;
      const answer = ask(200, body);
      equal(answer.kind === "found" && answer.record.amount, amount.slice(0, 64));
      equal(answer.kind === "found" && answer.record.state, "completed");
    },
  ),
  law(
    "two different amounts in one record are unclear",
    fc.tuple(fc.nat(), fc.nat()),
    ([amount, other]) => {
      const answer = ask(
        200,
        list({
          transaction_code: CODE,
          status: "completed",
          currency_code: "INR",
          amount,
          transaction_amount: other,
        }),
      );
      equal(
        answer.kind === "found" && answer.record.state,
        amount === other ? "completed" : "unclear",
      );
    },
  ),
  law(
    "a contradicting number and word are unclear (F120)",
    fc.tuple(
      fc.constantFrom(["pending", 1], ["completed", 2], ["failed", 3], ["manual process", 4]),
      fc.integer({ min: -1, max: 9 }),
    ),
    ([[word, own], number]) => {
      const answer = ask(
        200,
        list({
          transaction_code: CODE,
          amount: "1",
          currency_code: "INR",
          status: word,
          transaction_status: number,
        }),
      );
      equal(answer.kind === "found" && answer.record.state === "unclear", number !== own);
    },
  ),
  law("two records of our code are equal or unclear", fc.tuple(record, record), ([one, other]) => {
    const [first, second] = [one, other].map((each) => ask(200, list(each)));
    const both = ask(200, list(one, other));
    if (first?.kind !== "found" || second?.kind !== "found" || both.kind !== "found") {
      throw new Error("a record of our code is found");
    }
    const { amount, ...rest } = first.record;
    const { amount: otherAmount, ...otherRest } = second.record;
    const isOneAmount = amount === otherAmount || Number(amount) === Number(otherAmount);
    if (isOneAmount && JSON.stringify(rest) === JSON.stringify(otherRest)) deepEqual(both, first);
    else equal(both.record.state, "unclear");
  }),
  law("a truncated status answer is no answer", fc.tuple(record, fc.nat()), ([ours, cut]) => {
    const body = list(ours);
    equal(ask(200, body.slice(0, cut % body.length)).kind, "no_answer");
  }),
  law(
    "an unreadable record might be ours, so the list does not report not found",
    fc.tuple(
      fc.array(otherRecord, { maxLength: 3 }),
      fc.oneof(
        fc.constantFrom(null, 1, "WD-0001", [], {}),
        fc.record({ transaction_code: fc.constantFrom(null, "", [], {}) }),
      ),
    ),
    ([others, odd]) => {
      equal(ask(200, list(...others, odd)).kind, "no_answer");
    },
  ),
  law(
    "a documented code says nothing about the transaction, whatever the words (F119)",
    fc.tuple(status, knownCode, fc.constantFrom([], null, undefined)),
    ([code, known, entries]) => {
      const text = `Transaction not found, error code ${known}`;
      equal(
        ask(code, JSON.stringify({ success: false, data: entries, message: text })).kind,
        "no_answer",
      );
      equal(
        ask(code, JSON.stringify({ data: entries, message: "not found", error: { code: known } }))
          .kind,
        "no_answer",
      );
    },
  ),
  law(
    "a record with a refusal is neither found nor not found",
    fc.tuple(record, fc.integer({ min: 400, max: 599 }), message),
    ([ours, code, text]) => {
      equal(ask(code, JSON.stringify({ data: [ours], message: text })).kind, "no_answer");
    },
  ),
];
