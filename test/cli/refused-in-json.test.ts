import { beforeAll, expect, test } from "vitest";
import { freshLedger } from "../support/ledger.ts";
import { makeFile, runHere, scratch, withoutGateway } from "../support/payrun.ts";

const folder = scratch();
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  env = withoutGateway(await freshLedger(), folder);
  await runHere(["migrate"], env);
});

test.each([
  [4, "not_found", "batch show BNOTHING --json"],
  [4, "not_found", "batch report BNOTHING --json"],
  [4, "not_found", "batch create /nowhere/file.csv --json"],
  [2, "usage", "batch show --json"],
])("%i %s: a program that asks is told in one line of JSON: %s", async (exitCode, code, words) => {
  const ended = await runHere(words.split(" "), env);
  expect(ended.code).toBe(exitCode);
  const { error } = JSON.parse(ended.stdout);
  expect(ended.stdout.trimEnd()).not.toContain("\n");
  expect(error).toEqual({ code, exit_code: exitCode, message: expect.any(String) });
  expect(ended.stderr).toContain(error.message);
});

test("who does not ask is told in words alone; so is who was answered before something broke", async () => {
  const { stdout, stderr } = await runHere(["batch", "show", "BNOTHING"], env);
  expect([stdout, stderr]).toEqual(["", expect.stringContaining("BNOTHING")]);
  const { path } = makeFile(folder, [{ amount: "5.00" }, { amount: "0.00" }]);
  const created = await runHere(["batch", "create", path, "--submit", "--json"], env);
  expect(created.code).not.toBe(0);
  expect(JSON.parse(created.stdout)).toMatchObject({ batch_id: expect.any(String) });
});
