import { expect, test } from "vitest";
import { timelineTable } from "#cli/terminal/timeline.ts";

const at = "2026-11-25T11:08:14.049Z";

/** The last column of one event. */
const shown = (facts: Readonly<Record<string, string>>, text: string | null = null) =>
  timelineTable([
    {
      at,
      kind: "answer",
      title: "Answer",
      tone: "plain",
      text,
      actor: null,
      facts: Object.entries(facts).map(([name, value]) => ({ name, value })),
    },
  ]).replace(`${at}  Answer  `, "");

test("labels the facts of an answer, with units", () => {
  const answer = {
    text: "request withdraw successful",
    outcome: "in_doubt",
    "elapsed ms": "21",
    "http status": "200",
    "date offset ms": "-1013",
  };
  expect(shown(answer)).toBe(
    'text: "request withdraw successful", outcome: in doubt, duration: 21 ms, HTTP status: 200, gateway clock: 1013 ms behind',
  );
  expect(shown({ "date offset ms": "12", code: "121" })).toBe(
    "gateway clock: 12 ms ahead, error code: 121",
  );
});

test("marks the content of a callback as reported", () => {
  const callback = { kind: "payout", state: "completed", amount: "5.00", "transaction no": "WD1" };
  expect(shown(callback)).toBe(
    "callback for: payout, reported state: completed, reported amount: 5.00, gateway number: WD1",
  );
});

test("prints the text of an event once", () => {
  expect(shown({ text: "bank not found", code: "121" }, "bank not found")).toBe(
    "bank not found · error code: 121",
  );
});
