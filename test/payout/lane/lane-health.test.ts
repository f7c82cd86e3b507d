import { expect, test } from "vitest";
import { laneThresholds } from "#payout/lane/circuit-breaker-settings.ts";
import {
  checkLaneHealth,
  sendResultOf,
  slowText,
  unknownAnswerText,
} from "#payout/lane/lane-health.ts";

const BRAKES = {
  ...laneThresholds("M/INR", new Map()),
  errors_sends: 4,
  errors_percent: 50,
  silence_sends: 3,
};
const brakeOf = (marks: string) => checkLaneHealth(marks, BRAKES)?.breaker ?? null;

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
])("after %j the circuit breaker is %s", (marks, breaker) => {
  expect(brakeOf(marks)).toBe(breaker);
});

test("never opens with more failures than with fewer", () => {
  for (let bits = 0; bits < 2 ** 8; bits += 1) {
    const marks = Array.from({ length: 8 }, (_, at) => ((bits >> at) & 1 ? "e" : ".")).join("");
    if (brakeOf(marks) === null) continue;
    for (let at = 0; at < 8; at += 1) {
      expect(brakeOf(`${marks.slice(0, at)}e${marks.slice(at + 1)}`)).not.toBe(null);
    }
  }
});

test("counts a refusal as an answer, and ignores answers that stop the lane by themselves", () => {
  const doubt = { kind: "in_doubt", text: "" } as const;
  const stop = { until: "wait", reason: "429" } as const;
  expect(sendResultOf({ kind: "accepted" }, false)).toBe(".");
  expect(sendResultOf({ kind: "duplicate" }, false)).toBe(".");
  expect(sendResultOf({ kind: "declined", code: "121", text: "" }, false)).toBe(".");
  expect(sendResultOf({ kind: "deferred", code: "112", text: "", stop: null }, false)).toBe(".");
  expect(sendResultOf({ ...doubt, code: "no_answer" }, false)).toBe("s");
  expect(sendResultOf({ ...doubt, code: "http_500" }, false)).toBe("e");
  expect(sendResultOf({ ...doubt, code: "http_429", stop }, false)).toBe(null);
});

test.each([
  ["tttt", null],
  ["ttttt", "slow"],
  [".t.t..t...t....t", "slow"],
  ["t...................tttt", null],
  ["tlt.l.......t", "slow"],
  ["ll", null],
  ["llsss", null],
])(
  "with five late answers of the last twenty: after %j the circuit breaker is %s",
  (marks, breaker) => {
    const settings = { ...BRAKES, errors_sends: 100, silence_sends: 6 };
    expect(checkLaneHealth(marks.padStart(20, "."), settings)?.breaker ?? null).toBe(breaker);
  },
);

test("counts a request past its deadline as a timeout and as silence", () => {
  const doubt = { kind: "in_doubt", text: "" } as const;
  expect(sendResultOf({ ...doubt, code: "no_answer" }, true)).toBe("t");
  expect(sendResultOf({ ...doubt, code: "http_500" }, true)).toBe("e");
  expect(brakeOf("..ttt")).toBe("silence");
});

test("names the lane, the timeout, the observed time and what to do in the reason", () => {
  expect(slowText("M1/INR", 30_000, 75_040)).toBe(
    "the gateway responds after the timeout on lane M1/INR: GATEWAY_TIMEOUT_MS is 30000 (30 s), the longest processing time in the last day is 75 s; raise GATEWAY_TIMEOUT_MS or contact the provider",
  );
  expect(slowText("M1/INR", 3_000, 900)).toContain("no late response has arrived yet");
});

test("treats unknown answers as the same, whatever figures they contain", () => {
  expect(unknownAnswerText("unknown_message", "Try  12 later\n(ref 881)")).toBe(
    "unknown_message: Try # later (ref #)",
  );
  expect(unknownAnswerText("x", "y".repeat(500))).toHaveLength(120);
});
