import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere } from "../../support/servers/payrun.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "check-"));
});
afterAll(() => rm(folder, { recursive: true }));

const check = (args: readonly string[]) => runHere(["check", ...args]);

test("reads a file without a currency column as --currency says", async () => {
  const path = join(folder, "one-country.csv");
  const header =
    "user_id,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
  await writeFile(path, `${header}\nU-1,500,Asha Rao,501099990001,HDFC0000001,HDFC,HDFC Bank\n`);
  const asked = await check([path]);
  expect(asked.code).toBe(3);
  expect(asked.stdout).toContain(`payrun check ${path} --currency INR`);
  const read = await check([path, "--currency", "INR"]);
  expect(read.stdout).toMatch(/INR +1 +500\.00\n/);
  expect((await check([path, "--currency", "inr"])).code).toBe(2);
});
