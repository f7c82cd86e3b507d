import { expect, test } from "vitest";
import { AUDIT_ACTIONS } from "#integrity/audit-actions.ts";
import { actionName, actionNames } from "../../dashboard/src/pages/integrity/action-messages.ts";

test("names every action that payrun can write to the audit log, and no other", () => {
  expect(Object.keys(actionNames).sort()).toEqual([...AUDIT_ACTIONS].sort());
});

test("gives no two actions the same name", () => {
  const names = Object.values(actionNames);
  expect(names.length).toBe(new Set(names).size);
});

test.each([
  ["pause_lane", "Lane paused"],
  ["close_payout", "close payout"],
  ["constructor", "constructor"],
])("shows %s as “%s”", (action, name) => {
  expect(actionName(action)).toBe(name);
});
