import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { proofPage } from "../../proof/page/proof-page.ts";

test("docs/understand/proof/README.md matches the reports; npm run proof-page updates it", () => {
  const page = readFileSync(
    join(import.meta.dirname, "../../docs/understand/proof/README.md"),
    "utf8",
  );
  expect(page).toBe(proofPage());
});
