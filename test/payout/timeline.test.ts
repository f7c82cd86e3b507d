import { expect, test } from "vitest";
import { LIFECYCLE, type PayoutEvent } from "#payout/payout-lifecycle.ts";
import { storedReason } from "#payout/reasons.ts";
import {
  evidenceEntry,
  payoutTimeline,
  type RecordedPayout,
  withoutClaims,
} from "#payout/timeline.ts";

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second));
const events = Object.keys(LIFECYCLE) as PayoutEvent[];
const facts: readonly [string, number | null, Record<string, unknown>][] = [
  ["answer", 1, { outcome: "accepted", message: "success", latencyMs: 12.4 }],
  ["answer", 2, { outcome: "duplicate", message: "code used", code: "111" }],
  ["answer", 3, { outcome: "declined", text: "no such account" }],
  ["answer", 4, { outcome: "deferred" }],
  ["answer", null, { outcome: "in_doubt", message: "" }],
  ["answer", 5, { outcome: "of another version" }],
  ["lease", 1, {}],
  ["callback", null, { state: "completed", message: 7 }],
  [
    "status",
    null,
    { answer: "found", state: "completed", gatewayNumber: "G1", fee: null, empty: "" },
  ],
  ["status", null, { answer: "found", state: "pending", nested: { a: 1 } }],
  ["status", null, { answer: "not_found", text: "none" }],
  ["status", null, { answer: "found", state: "unclear", says: "paid" }],
  ["status", null, { answer: "unclear" }],
];

const recorded = (state: RecordedPayout["state"]): RecordedPayout => ({
  state,
  attempts: [{ number: 1, openedAt: at(2), keyId: "K1", worker: "w1" }],
  evidence: facts.map(([kind, attempt, said], place) => ({
    kind,
    attempt,
    at: at(4 + place),
    facts: said,
  })),
  transitions: events.map((event, place) => ({
    event,
    reason: place % 2 === 0 ? null : storedReason("refused", "why"),
    actor: "sweep",
    at: at(place * 2),
  })),
});

const told = (state: RecordedPayout["state"]): string =>
  payoutTimeline(recorded(state))
    .map(
      ({ at: when, kind, title, text, actor, tone, facts: named }) =>
        `${when.toISOString().slice(17, 19)} ${kind} [${tone}] ${title} | ${text ?? "-"} | ${actor ?? "-"} | ${named
          .map(({ name, value }) => `${name}=${value}`)
          .join(", ")}`,
    )
    .join("\n");

/** After an intended change of texts: npm test -- -u test/payout */
test("describes events in order and in words", async () => {
  await expect(`${told("settled")}\n`).toMatchFileSnapshot("timeline.txt");
});

test("does not treat a reported payment as proof before the ledger does", () => {
  const proofs = (state: RecordedPayout["state"]) =>
    payoutTimeline(recorded(state)).filter(
      ({ tone, kind }) => tone === "proof" && kind !== "change",
    ).length;
  expect([proofs("in_doubt"), proofs("accepted"), proofs("on_hold")]).toEqual([0, 0, 0]);
  expect([proofs("settled"), proofs("returned")]).toEqual([1, 1]);
});

test("shows an answer before the change it caused at the same instant", () => {
  const instant = at(1);
  const [first, second] = payoutTimeline({
    state: "settled",
    attempts: [],
    evidence: [{ kind: "status", attempt: null, at: instant, facts: {} }],
    transitions: [{ event: "settle", reason: null, actor: "sweep", at: instant }],
  });
  expect([first?.kind, second?.kind]).toEqual(["status_query", "change"]);
});

test("mentions no response where no request was sent or no answer arrived", () => {
  const titleOf = (facts: Record<string, unknown>) =>
    evidenceEntry({ kind: "answer", attempt: 1, at: new Date(0), facts }, false).title;
  expect(titleOf({ httpStatus: null, text: "not sent", outcome: "deferred" })).toBe(
    "Not sent to the gateway",
  );
  expect(titleOf({ httpStatus: null, code: "ETIMEDOUT", outcome: "in_doubt" })).toBe(
    "No response: inconclusive",
  );
  expect(titleOf({ httpStatus: 502, outcome: "in_doubt" })).toBe("Response: inconclusive");
});

test("shows the amount of a record instead of the text that repeats its state", () => {
  const textOf = (facts: Record<string, unknown>) =>
    evidenceEntry({ kind: "status", attempt: null, at: new Date(0), facts }, false).text;
  const text = "completed IDR 6275000";
  const found = { answer: "found", state: "completed", text };
  expect(textOf({ ...found, amount: "6275000", currency: "IDR" })).toBe("6275000 IDR");
  expect(textOf({ ...found, amount: "6275000", currency: "" })).toBe(text);
  expect(textOf({ ...found, answer: "not_found", amount: "1", currency: "IDR" })).toBe(text);
});

const ATTEMPT = { number: 2, openedAt: at(2), keyId: "K1", worker: "w1" };

test("says that an attempt was sent only if the gateway answered it", () => {
  const titleWith = (httpStatus: number | null) =>
    payoutTimeline({
      state: "submitting",
      attempts: [ATTEMPT],
      evidence: [{ kind: "answer", attempt: 2, at: at(3), facts: { httpStatus } }],
      transitions: [],
    })[0]?.title;
  expect(titleWith(200)).toBe("Sent to the gateway, attempt 2");
  expect(titleWith(null)).toBe("Attempt 2 recorded");
});

test("leaves out the claims for sending that an attempt followed", () => {
  const change = (event: PayoutEvent, second: number) =>
    ({ event, reason: null, actor: "sweep", at: at(second) }) as const;
  const transitions = [
    change("approve", 0),
    change("send", 1),
    change("defer", 4),
    change("resend", 9),
  ];
  const shown = withoutClaims({
    state: "submitting",
    attempts: [ATTEMPT],
    evidence: [],
    transitions,
  });
  expect(shown.map(({ event }) => event)).toEqual(["approve", "defer", "resend"]);
});
