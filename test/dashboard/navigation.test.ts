/** The current destination of the rail, and the commands of the palette. */
import { expect, test } from "vitest";

import { commandsFor, isFoundBy } from "../../dashboard/src/shell/palette/commands.ts";
import { coveringDestination } from "../../dashboard/src/shell/navigation.ts";

test.each([
  ["/batches/b_1/approval", "/approvals"],
  ["/settings/keys", "/settings/users"],
  ["/batches/b_1", undefined],
  ["/batches/b_1/approval/more", undefined],
  ["/approvals", undefined],
])("assigns %s to %s", (pathname, destination) => {
  expect(coveringDestination(pathname)).toBe(destination);
});

const found = (text: string) =>
  commandsFor(["read", "upload"])
    .actions.filter((command) => isFoundBy(command, text))
    .map(({ label }) => label);

test.each([
  ["upl", ["Upload a file"]],
  ["CSV", ["Upload a file"]],
  ["new sch", ["Create a schedule"]],
  ["load", []],
  ["invite", []],
])("finds actions by %s", (text, labels) => {
  expect(found(text)).toEqual(labels);
});

test("lists every permitted action while no text is typed", () => {
  expect(found("")).toEqual(["Upload a file", "Create a schedule", "Create an API key"]);
});
