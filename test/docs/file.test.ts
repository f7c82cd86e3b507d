import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filePage } from "../../scripts/payout-files-page.ts";

test("docs/use/payout-files.md matches the rules; npm run payout-files-page updates it", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/use/payout-files.md"), "utf8");
  expect(page).toBe(filePage());
});
