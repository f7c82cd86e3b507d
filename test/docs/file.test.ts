import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filePage } from "../../scripts/file-page.ts";

test("docs/file.md shows the rules as they are; npm run file-page writes it again", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/file.md"), "utf8");
  expect(page).toBe(filePage());
});
