import { expect, test } from "vitest";
import {
  isReplicated,
  mustWait,
  type Replication,
  requiredStandbys,
} from "#ledger/integrity/replication.ts";

test.each([
  ["b", ["b"]],
  ['"db-2"', ["db-2"]],
  ["FIRST 1 (b)", ["b"]],
  ["any 2 (B, c)", ["b", "c"]],
  ['2 ("b ""x""", c)', ['b "x"', "c"]],
] as const)("every commit under %s waits for each named standby", (setting, names) => {
  expect(requiredStandbys(setting)).toEqual(names);
});

test.each([
  "",
  "*",
  "b, c",
  "ANY 1 (b, c)",
  "FIRST 2 (b, c, d)",
  "FIRST 1 (*)",
  "FIRST 2 (b)",
  "2nd",
])("no standby is certain to have every commit under '%s'", (setting) => {
  expect(requiredStandbys(setting)).toEqual([]);
});

const recorded = (more: Partial<Replication> = {}): Replication => ({
  recorded: "b",
  now: "b",
  serverName: "a",
  confirmedAt: "2026-11-28 00:00:00+00",
  isRecent: true,
  mayBeTrusted: true,
  ...more,
});

test("F25 only a named standby with a recent record has every claim", () => {
  expect(isReplicated(recorded({ serverName: "B" }))).toBe(true);
  expect(isReplicated(recorded({ serverName: "c" }))).toBe(false);
  expect(isReplicated(recorded({ serverName: "" }))).toBe(false);
  expect(isReplicated(recorded({ serverName: "b", isRecent: false }))).toBe(false);
  expect(isReplicated(recorded({ serverName: "b", recorded: null }))).toBe(false);
  expect(isReplicated(recorded({ serverName: "b", recorded: "ANY 1 (b, c)" }))).toBe(false);
});

test("F25 claims wait while a removed standby could be promoted without a freeze", () => {
  expect(mustWait(recorded({ now: "" }))).toBe(true);
  expect(mustWait(recorded({ now: "c" }))).toBe(true);
  expect(mustWait(recorded({ now: "ANY 1 (b, c)" }))).toBe(true);
  expect(mustWait(recorded({ now: "", mayBeTrusted: false }))).toBe(false);
  expect(mustWait(recorded({ now: "", isRecent: false }))).toBe(true);
  expect(mustWait(recorded({ now: "FIRST 2 (b, c)" }))).toBe(false);
  // The promoted standby itself needs no standby.
  expect(mustWait(recorded({ now: "", serverName: "b" }))).toBe(false);
  expect(mustWait(recorded({ recorded: null, now: "b" }))).toBe(false);
});
