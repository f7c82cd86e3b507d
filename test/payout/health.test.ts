import { expect, test } from "vitest";
import { laneBrakes } from "#payout/brake-settings.ts";
import { judgeHealth, markOf, unreadText } from "#payout/health.ts";

const BRAKES = {
  ...laneBrakes("M/INR", new Map()),
  errors_sends: 4,
  errors_percent: 50,
  silence_sends: 3,
};
const brakeOf = (marks: string) => judgeHealth(marks, BRAKES)?.brake ?? null;

test.each([
  ["", null],
  ["ee", null],
  ["...e", null],
  ["..ee", "errors"],
  ["ee....", null],
  ["e.e.", "errors"],
  ["ss", null],
  ["sss", "silence"],
  ["....sss", "silence"],
  ["sss.", "errors"],
  ["s.s.....", null],
])("after %j the brake is %s", (marks, brake) => {
  expect(brakeOf(marks)).toBe(brake);
});

test("more that is bad never opens what less of it holds", () => {
  for (let bits = 0; bits < 2 ** 8; bits += 1) {
    const marks = Array.from({ length: 8 }, (_, at) => ((bits >> at) & 1 ? "e" : ".")).join("");
    if (brakeOf(marks) === null) continue;
    for (let at = 0; at < 8; at += 1) {
      expect(brakeOf(`${marks.slice(0, at)}e${marks.slice(at + 1)}`)).not.toBe(null);
    }
  }
});

test("a refusal is an answer; what stops the lane by itself is no mark of its health", () => {
  const doubt = { kind: "in_doubt", text: "" } as const;
  const stop = { until: "wait", reason: "429" } as const;
  expect(markOf({ kind: "accepted" })).toBe(".");
  expect(markOf({ kind: "duplicate" })).toBe(".");
  expect(markOf({ kind: "declined", code: "121", text: "" })).toBe(".");
  expect(markOf({ kind: "deferred", code: "112", text: "", stop: null })).toBe(".");
  expect(markOf({ ...doubt, code: "no_answer" })).toBe("s");
  expect(markOf({ ...doubt, code: "http_500" })).toBe("e");
  expect(markOf({ ...doubt, code: "http_429", stop })).toBe(null);
});

test("an unknown answer is the same one whatever figures it holds", () => {
  expect(unreadText("unknown_message", "Try  12 later\n(ref 881)")).toBe(
    "unknown_message: Try # later (ref #)",
  );
  expect(unreadText("x", "y".repeat(500))).toHaveLength(120);
});
