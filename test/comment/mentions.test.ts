/** Mentions in comments: the person whose whole name follows the "@". */
import { expect, test } from "vitest";
import { mentionsIn } from "#comment/mentions.ts";

const CHEN = { id: "US1", name: "Chen" };
const CHEN_WEI = { id: "US2", name: "Chen Wei" };
const KIM = { id: "US3", name: "김서연" };
const USERS = [CHEN, CHEN_WEI, KIM];

test.each([
  ["@Chen Wei please check line 14", [CHEN_WEI]],
  ["please check, @chen wei.", [CHEN_WEI]],
  ["@Chen", [CHEN]],
  ["@Chen and @Chen Wei", [CHEN, CHEN_WEI]],
  ["@Chen Wei @Chen Wei", [CHEN_WEI]],
  ["(@김서연)", [KIM]],
  ["@Chenille", []],
  ["mail@Chen", []],
  ["Chen Wei", []],
  ["@", []],
])("finds the mentioned users in %j", (text, users) => {
  expect(mentionsIn(text, USERS)).toEqual(users);
});

test("mentions every user with the same name", () => {
  const other = { id: "US4", name: "chen" };
  expect(mentionsIn("@Chen", [...USERS, other])).toEqual([CHEN, other]);
});
