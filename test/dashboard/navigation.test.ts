/** The destination of the rail that is marked as current. */
import { expect, test } from "vitest";

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
