import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Output of a process that runs this, line by line. */
function told(program: string): Record<string, unknown>[] {
  const { stderr } = spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `import { createLog } from "#base/log.ts"; const log = createLog("info"); ${program}`,
    ],
    { encoding: "utf8" },
  );
  return stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("logs a repeated warning once a minute, with its count", () => {
  const lines = told(`
    let nowMs = 0;
    performance.now = () => nowMs;
    const warn = (queue, words) => log.warn({ queue, err: new Error(words) }, "queue");
    for (const at of [0, 1, 59_999]) { nowMs = at; warn("a", "away"); }
    warn("b", "away");
    warn("a", "gone");
    nowMs = 60_000;
    warn("a", "away");
    nowMs = 120_000;
    warn("a", "away");
  `);
  const seen = lines.map(({ queue, err, repeated }) => [
    queue,
    (err as { message: string }).message,
    repeated,
  ]);
  expect(seen).toEqual([
    ["a", "away", undefined],
    ["b", "away", undefined],
    ["a", "gone", undefined],
    ["a", "away", 2],
    ["a", "away", undefined],
  ]);
});

test("logs errors and information every time", () => {
  const lines = told(`
    for (let i = 0; i < 3; i += 1) { log.error("broken"); log.info("news"); }
  `);
  expect(lines.map(({ msg }) => msg)).toEqual([
    "broken",
    "news",
    "broken",
    "news",
    "broken",
    "news",
  ]);
});

test.each([
  "failed to store a callback",
  "notifications failed, retrying",
  "failed to respond to a request",
])("logs %s once a minute while the database is away", (words) => {
  const lines = told(`
      for (let i = 0; i < 500; i += 1) log.warn({ err: "away" }, "${words}");
    `);
  expect(lines.map(({ msg }) => msg)).toEqual([words]);
});

test("logs unreadable callbacks once a minute, however many arrive", () => {
  const lines = told(`
    const { UNREAD_CALLBACK } = await import("#base/log.ts");
    let nowMs = 0;
    performance.now = () => nowMs;
    for (let i = 0; i < 500; i += 1) log.warn({}, UNREAD_CALLBACK);
    nowMs = 60_000;
    log.warn({}, UNREAD_CALLBACK);
  `);
  expect(lines.map(({ msg, repeated }) => [msg, repeated])).toEqual([
    ["received an unreadable callback", undefined],
    ["received an unreadable callback", 499],
  ]);
});

test("adds the ids of the span in progress", () => {
  const [before, inside] = told(`
    const { recordSpansWith } = await import("#base/telemetry/spans.ts");
    log.info("before");
    recordSpansWith({ currentIds: () => ({ trace_id: "t1", span_id: "s1" }) });
    log.info("inside");
  `);
  expect(before).not.toHaveProperty("trace_id");
  expect(inside).toMatchObject({ trace_id: "t1", span_id: "s1", msg: "inside" });
});
