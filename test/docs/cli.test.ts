import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cliPage } from "../../scripts/cli-page.ts";

test("docs/cli.md shows the commands as they are; npm run cli-page writes it again", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/cli.md"), "utf8");
  expect(page).toBe(await cliPage());
});
