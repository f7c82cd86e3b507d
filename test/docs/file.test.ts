import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filePage } from "../../scripts/file-page.ts";

test("docs/file.md matches the rules; npm run file-page updates it", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/file.md"), "utf8");
  expect(page).toBe(filePage());
});
