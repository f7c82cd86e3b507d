import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cliPage } from "../../scripts/cli-page.ts";

test("docs/reference/cli.md matches the commands; npm run cli-page updates it", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/reference/cli.md"), "utf8");
  expect(page).toBe(await cliPage());
});
