import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { lifecyclePage } from "../../scripts/lifecycle.ts";

test("docs/understand/lifecycle.md matches the tables; npm run lifecycle updates it", () => {
  const page = readFileSync(
    join(import.meta.dirname, "../../docs/understand/lifecycle.md"),
    "utf8",
  );
  expect(page).toBe(lifecyclePage());
});
