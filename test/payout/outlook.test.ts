import { expect, test } from "vitest";
import { type PayoutState, STATES } from "#payout/payout-lifecycle.ts";
import { payoutActions, payoutOutlook } from "#payout/outlook.ts";
import type { RetryStanding } from "#payout/retry-batch-left-out.ts";
import { storedReason } from "#payout/reasons.ts";

const states = Object.keys(STATES) as PayoutState[];
const dueAt = new Date("2026-11-21T10:00:00Z");
const now = new Date("2026-11-21T09:59:00Z");
const silentSince = new Date("2026-11-21T09:20:00Z");
const WELL = {
  reason: null,
  isReturnReported: false,
  dueAt,
  silentSince: null,
  stoppedBy: null,
  resend: null,
  now,
};

/** Texts about a payout in each state. After an intended change: npm test -- -u test/payout */
test("states for every state whether money has moved, what is next, and which actions are allowed", async () => {
  const standings = states.flatMap((state) => [
    { ...WELL, state },
    { ...WELL, state, reason: storedReason("deferred", "busy") },
    { ...WELL, state, stoppedBy: "its batch is paused" },
  ]);
  const lines = standings.map((standing) => {
    const { moved, answer, next, nextAt } = payoutOutlook(standing);
    const why = standing.stoppedBy ?? standing.reason ?? "";
    return `${standing.state} (${why})\n  ${moved}: ${answer}\n  ${next} ${nextAt?.toISOString() ?? ""}`;
  });
  const actions = states.map(
    (state) =>
      `${state}\n${payoutActions(state)
        .map(({ action, may, why }) => `  ${may ? "may" : "may not"} ${action}: ${why}`)
        .join("\n")}`,
  );
  await expect(`${[...lines, ...actions].join("\n")}\n`).toMatchFileSnapshot("outlook.txt");
});

test("reports as arrived only a settled or returned payout", () => {
  const yes = states.filter((state) =>
    /^Yes|was settled, but/.test(payoutOutlook({ ...WELL, state }).answer),
  );
  expect(yes).toEqual(["settled", "returned"]);
});

test("says that a settled payout may have been returned, until that is confirmed", () => {
  expect(payoutOutlook({ ...WELL, state: "settled", isReturnReported: true })).toMatchObject({
    moved: "maybe",
    answer: expect.stringMatching(/^Possibly no longer/),
    next: "payrun will query the status again to confirm the return.",
  });
});

test("F57 says only that an accepted payout without further answers may have been paid", () => {
  expect(payoutOutlook({ ...WELL, state: "accepted", silentSince })).toEqual({
    moved: "maybe",
    answer:
      "Possibly. The gateway accepted the payout, but has not returned a readable status since 2026-11-21 09:20:00 UTC.",
    next: "payrun will query the gateway for the status again.",
    nextAt: dueAt,
    wait: null,
  });
  for (const state of states.filter((each) => each !== "accepted")) {
    expect(payoutOutlook({ ...WELL, state, silentSince })).toEqual(
      payoutOutlook({ ...WELL, state }),
    );
  }
});

test("does not announce a status query that is overdue", () => {
  const nextOf = (state: PayoutState, lateMs: number) =>
    payoutOutlook({ ...WELL, state, now: new Date(dueAt.getTime() + lateMs) }).next;
  for (const state of ["in_doubt", "accepted"] as const) {
    expect(nextOf(state, 60_000)).toBe("payrun will query the gateway for the status again.");
    expect(nextOf(state, 60_001)).toBe("The next status query is overdue.");
  }
});

test("does not allow replacing, resending or cancelling a payout that may have arrived", () => {
  for (const state of states) {
    const may = payoutActions(state).filter((action) => action.may);
    const isWaiting = state === "approved" || state === "held_back";
    const unsent = isWaiting ? ["hold_back", "release", "cancel"] : [];
    const allowed = ["query", "resolve", ...unsent];
    expect(may.filter(({ action }) => !allowed.includes(action))).toEqual([]);
  }
});

const RETRIED = {
  kind: "retried",
  by: {
    code: "PRNEW",
    batchId: "B41JJYRD650",
    state: "awaiting_approval",
    isDraft: false,
    mayBeRetried: true,
  },
} as const;
const whyNotReplaced = (state: PayoutState, retry: RetryStanding) =>
  payoutActions(state, retry).find(({ action }) => action === "replace")?.why;

test.each(["declined", "returned", "cancelled", "resolved"] as const)(
  "names the batch that retries a %s payout, so that nobody uploads its row again",
  (state) => {
    const text =
      "Batch B41JJYRD650 retries it as PRNEW (awaiting approval). Do not upload it in a new file.";
    expect(payoutOutlook({ ...WELL, state, retry: RETRIED }).next).toBe(text);
    expect(whyNotReplaced(state, RETRIED)).toBe(text);
  },
);

test("says that a retry is not sent for approval yet, and that a payout can be retried", () => {
  const draft = { kind: "retried", by: { ...RETRIED.by, isDraft: true } } as const;
  expect(payoutOutlook({ ...WELL, state: "declined", retry: draft }).next).toContain(
    "(not sent for approval yet)",
  );
  const retry = { kind: "retryable" } as const;
  for (const state of ["declined", "returned", "cancelled", "resolved"] as const) {
    const usual = payoutOutlook({ ...WELL, state });
    expect(payoutOutlook({ ...WELL, state, retry })).toEqual(usual);
    expect(payoutActions(state, retry)).toEqual(payoutActions(state));
  }
});

test.each([
  ["retried_twice", /^It is already in two retry batches/],
  ["before_restore", /^The ledger has been frozen since then.*Contact gateway support before/],
  ["being_checked", /still checking.*Do not upload it in a new file/],
] as const)("does not advise retrying a payout that cannot be retried: %s", (kind, text) => {
  const { next } = payoutOutlook({ ...WELL, state: "declined", retry: { kind } });
  expect(next).toMatch(text);
  expect(whyNotReplaced("declined", { kind })).toBe(next);
});

test("does not speak of a retry while the payout may still arrive", () => {
  for (const state of ["in_doubt", "accepted", "settled", "on_hold"] as const) {
    expect(payoutOutlook({ ...WELL, state, retry: RETRIED })).toEqual(
      payoutOutlook({ ...WELL, state }),
    );
    expect(payoutActions(state, RETRIED)).toEqual(payoutActions(state));
  }
});
