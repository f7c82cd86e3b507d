/** File-level warnings and spreadsheet numbers when one person pays on the command line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import writeWorkbook from "write-excel-file/node";
import { startSetup, type Setup } from "../support/journey.ts";
import { documentOf, runHere } from "../support/servers/payrun.ts";
import { GOOD, HEADER } from "../intake/workbook/workbook-parts.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await startSetup("postgres");
});
afterAll(() => setup.stop());

const cli = (...args: readonly string[]) => runHere(args, setup.env);

/** With an unknown column and an account stored as a number. */
async function makeBook(name: string, account: number): Promise<string> {
  const row = GOOD.map((value, place) => (place === 4 ? account : (value as string)));
  const path = join(setup.folder, name);
  writeFileSync(
    path,
    await writeWorkbook([
      [...HEADER, "memo"],
      [...row, "x"],
    ]).toBuffer(),
  );
  return path;
}

test("reports file-level findings on every run of pay", async () => {
  const path = await makeBook("told.xlsx", 501_000_000_001);
  for (const isKnown of [false, true]) {
    const { code, stderr } = await cli("pay", path, "--total", "INR=100.00");
    expect(code).toBe(3);
    expect(stderr).toContain("Column memo was not recognised and was ignored.");
    expect(stderr.includes("This file was already uploaded as batch")).toBe(isKnown);
  }
});

test("pays numbers from a spreadsheet when the user states that they were compared", async () => {
  const path = await makeBook("pay.xlsx", 501_000_000_002);
  const pay = (...more: readonly string[]) =>
    cli("pay", path, "--total", "INR=100.00", "--no-wait", ...more);
  const refused = await pay();
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain("bank_account_number in 1 row.");
  expect(refused.stderr).toContain("then add --numbers-compared. No payouts were sent.");
  const paid = await pay("--json", "--numbers-compared");
  expect(paid.code).toBe(0);
  const { batch_id: id } = documentOf(paid);
  const lines = (await cli("export")).stdout.trim().split("\n");
  const audit = lines.map((line) => JSON.parse(line) as Record<string, string>);
  const approval = audit.find(({ action, object }) => action === "approve" && object === id);
  expect(JSON.parse(approval?.["facts"] ?? "{}")).toMatchObject({
    numbers_compared: { bank_account_number: 1 },
  });
});

test("requires the same statement in batch approve", async () => {
  const path = await makeBook("approve.xlsx", 501_000_000_003);
  const { batch_id: id } = documentOf(await cli("batch", "create", path, "--json"));
  const approve = (...more: readonly string[]) =>
    cli("batch", "approve", id, "--total", "INR=100.00", ...more);
  expect((await approve()).code).toBe(3);
  expect((await approve("--numbers-compared")).code).toBe(0);
});

test("lists the findings that batch approve must acknowledge, and approves when they are", async () => {
  const rows = ["A", "B"].map(
    (name) => `U-1,INR,31.00,Asha ${name},50100077000001,HDFC0000001,HDFC,HDFC Bank`,
  );
  const path = join(setup.folder, "twice.csv");
  writeFileSync(path, [HEADER.join(","), ...rows].join("\n"));
  const { batch_id: id } = documentOf(await cli("batch", "create", path, "--json"));
  const approve = (...more: readonly string[]) =>
    cli("batch", "approve", id, "--total", "INR=62.00", ...more);
  const refused = await approve();
  expect(refused.code).toBe(5);
  expect(refused.stderr).toContain("2 rows: same account and amount twice in this batch");
  expect(refused.stderr).toContain("--acknowledge twice_here=2. No payouts were sent.");
  expect((await approve("--acknowledge", "twice_here")).code).toBe(2);
  expect((await approve("--acknowledge", "twice_here=1")).code).toBe(5);
  expect((await approve("--acknowledge", "twice_here=2")).code).toBe(0);
  const lines = (await cli("export")).stdout.trim().split("\n");
  const audit = lines.map((line) => JSON.parse(line) as Record<string, string>);
  const approval = audit.find(({ action, object }) => action === "approve" && object === id);
  expect(JSON.parse(approval?.["facts"] ?? "{}")).toMatchObject({
    acknowledged: [{ finding: "twice_here", rows: 2 }],
  });
});
