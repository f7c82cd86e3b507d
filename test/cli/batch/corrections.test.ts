/** The rows that were edited after the upload, shown before one person approves a batch. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSetup, type Setup } from "../../support/journey.ts";
import { documentOf, fileText, runHere } from "../../support/servers/payrun.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await startSetup("postgres");
});
afterAll(() => setup.stop());

const cli = (...args: readonly string[]) => runHere(["batch", ...args], setup.env);

test("lists each edited cell before and after, when a batch is approved", async () => {
  const path = join(setup.folder, "wrong.csv");
  writeFileSync(path, fileText([{ amount: "5.00" }, { amount: "wrong", name: "Bala Iyer" }]));
  const { batch_id: id } = documentOf(await cli("create", path, "--json"));
  const { stdout } = await cli("rejects", id);
  const repaired = join(setup.folder, "repaired.csv");
  writeFileSync(repaired, stdout.replace(",wrong,", ",10.00,"));
  expect((await cli("correct", id, repaired)).code).toBe(0);

  const { code, stderr } = await cli("approve", id, "--total", "INR=15.00");
  expect(stderr).toContain("Edited since the upload: 1 row\n");
  expect(stderr).toMatch(/line 3 by .+: transaction_amount "wrong" → "10\.00"\n/);
  expect(code).toBe(0);
});
