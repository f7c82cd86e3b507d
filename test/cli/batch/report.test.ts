import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSetup, type Setup } from "../../support/journey.ts";
import { documentOf, fileText, runHere } from "../../support/servers/payrun.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await startSetup("postgres");
});
afterAll(() => setup.stop());

test("keeps file columns that are named like report columns, each name once", async () => {
  const [header = "", ...rows] = fileText([{ code: "MINE-1" }, { code: "MINE-2", amount: "0" }])
    .trimEnd()
    .split("\n");
  const path = join(setup.folder, "own-columns.csv");
  // The column name comes from the file as well.
  const formula = '"=HYPERLINK(""https://x.test"",""Open"")"';
  const own = [`${header},state,line,${formula}`, ...rows.map((row) => `${row},open,7,x`)];
  const text = own.join("\n");
  writeFileSync(path, `${text}\n`);
  const paid = await runHere(["pay", path, "--json", "--no-wait"], setup.env);
  const { batch_id: id } = documentOf(paid);

  const { stdout } = await runHere(["batch", "report", id], setup.env);
  const [names = [], ...cells] = parse(stdout);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => /^[=+@-]/.test(name))).toEqual([]);
  expect(stdout).toContain("HYPERLINK");
  const column = (name: string) => cells.map((row) => row[names.indexOf(name)]);
  // The second row was left out; only the file has its code.
  expect(column("transaction_code")).toEqual(["MINE-1", "MINE-2"]);
  expect(column("state")).toEqual(["awaiting_approval", "rejected"]);
  expect([column("file_state"), column("file_line")]).toEqual([
    ["open", "open"],
    ["7", "7"],
  ]);

  const json = await runHere(["batch", "report", id, "--json"], setup.env);
  const lines = json.stdout.trim().split("\n");
  expect(Object.keys(JSON.parse(lines[0] ?? "")).toSorted()).toEqual(
    names.map((name) => name.replace(/^'/, "")).toSorted(),
  );
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { line: 2, transaction_code: "MINE-1", state: "awaiting_approval", file_state: "open" },
    { line: 3, transaction_code: "MINE-2", state: "rejected", gateway_number: null },
  ]);
});
