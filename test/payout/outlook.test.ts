import { expect, test } from "vitest";
import { type PayoutState, STATES } from "#payout/lifecycle.ts";
import { actionsOn, outlookOf } from "#payout/outlook.ts";
import { reason } from "#payout/reasons.ts";

const states = Object.keys(STATES) as PayoutState[];
const dueAt = new Date("2026-11-21T10:00:00Z");
const now = new Date("2026-11-21T09:59:00Z");

/** What people read about a payout in each state. An intended change: npm test -- -u test/payout */
test("every state says whether money has moved, what is next, and what may be done", async () => {
  const standings = states.flatMap((state) => [
    { state, reason: null, dueAt, stoppedBy: null, now },
    { state, reason: reason("deferred", "busy"), dueAt, stoppedBy: null, now },
    { state, reason: null, dueAt, stoppedBy: "its batch is paused", now },
  ]);
  const lines = standings.map((standing) => {
    const { moved, answer, next, nextAt } = outlookOf(standing);
    const why = standing.stoppedBy ?? standing.reason ?? "";
    return `${standing.state} (${why})\n  ${moved}: ${answer}\n  ${next} ${nextAt?.toISOString() ?? ""}`;
  });
  const actions = states.map(
    (state) =>
      `${state}\n${actionsOn(state)
        .map(({ action, may, why }) => `  ${may ? "may" : "may not"} ${action}: ${why}`)
        .join("\n")}`,
  );
  await expect(`${[...lines, ...actions].join("\n")}\n`).toMatchFileSnapshot("outlook.txt");
});

test("only what is settled, or came back, is said to have arrived", () => {
  const yes = states.filter((state) =>
    /^Yes|arrived, and/.test(
      outlookOf({ state, reason: null, dueAt, stoppedBy: null, now }).answer,
    ),
  );
  expect(yes).toEqual(["settled", "returned"]);
});

test("a question that nobody has asked in time is not called one that is asked", () => {
  const nextOf = (state: PayoutState, lateMs: number) =>
    outlookOf({
      state,
      reason: null,
      dueAt,
      stoppedBy: null,
      now: new Date(dueAt.getTime() + lateMs),
    }).next;
  for (const state of ["in_doubt", "accepted"] as const) {
    expect(nextOf(state, 60_000)).toBe("The gateway is asked for it again.");
    expect(nextOf(state, 60_001)).toBe("The gateway was to be asked for it by now, and was not.");
  }
});

test("nothing that may have arrived can be replaced, resent or cancelled by hand", () => {
  for (const state of states) {
    const may = actionsOn(state).filter((action) => action.may);
    expect(may.every(({ action }) => action === "ask" || action === "close")).toBe(true);
  }
});
