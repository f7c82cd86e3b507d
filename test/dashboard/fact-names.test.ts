import { expect, test } from "vitest";
import { factName, partName } from "../../dashboard/src/pages/integrity/fact-names.ts";

test.each(["constructor", "toString", "__proto__"])("knows no part and no fact %s", (name) => {
  expect(partName(name)).toBeNull();
  expect(typeof factName(name)).toBe("string");
  expect(factName(name)).not.toContain("native code");
});

test("names the parts of payrun, but not users with their names", () => {
  expect(partName("sweep")).toBe("payrun (scan for due payouts)");
  expect(partName("user:worker")).toBeNull();
});
