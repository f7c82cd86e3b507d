import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chaosPage } from "../../../proof/page/chaos-page.ts";

test("docs/understand/proof/chaos.md matches the committed reports; npm run proof-page updates it", () => {
  const path = join(import.meta.dirname, "../../../docs/understand/proof/chaos.md");
  expect(readFileSync(path, "utf8")).toBe(chaosPage());
});
