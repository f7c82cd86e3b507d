import { expect, test } from "vitest";
import { statementName } from "#base/telemetry/statement-durations.ts";

test.each([
  ['select "id" from "payouts" where "id" = $1', "select payouts"],
  ['update "payrun"."batches" set state = $1', "update batches"],
  ["\n    with due as (\n select id from payouts) update lanes set x = 1", "with payouts"],
  ["insert into evidence (payout_id) values ($1)", "insert evidence"],
  ["begin", "begin"],
  ["select now()", "select"],
  ["/* a comment */ select 1", "other"],
])("names a statement by its command and table: %j", (text, name) => {
  expect(statementName(text)).toBe(name);
});
