import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestLedger, ingestFile, freshLedger, type TestLedger } from "../../support/ledger.ts";
import { FAST, fileText, OTHER_KEY, runHere, scratch } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

const folder = scratch();
const file = join(folder, "keys.json");
let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

const run = (url: string, key: string | undefined, ...args: string[]) =>
  runHere(args, {
    ...FAST,
    DATABASE_URL: url,
    // A restored copy has a data folder of its own.
    PAYRUN_DATA: url === open.url ? folder : join(folder, "copy"),
    PAYRUN_KEY: key ?? "",
  });

test("exports the keys of a rotated ledger, and imports them into an older backup", async () => {
  const old = FAST["PAYRUN_KEY"];
  await run(open.url, old, "status");
  await ingestFile(open.ledger, fileText([{ code: "KEPT-1", account: "50100012344321" }]));
  expect(await run(open.url, old, "key", "export", file)).toMatchObject({
    code: 6,
    stderr: expect.stringContaining("was never rotated"),
  });
  await open.close();
  const name = new URL(open.url).pathname.slice(1);
  await query(await freshLedger(), `create database ${name}_copy template ${name}`);
  const copy = Object.assign(new URL(open.url), { pathname: `/${name}_copy` }).href;

  const next = join(folder, "next.key");
  writeFileSync(next, OTHER_KEY);
  expect((await run(open.url, old, "key", "rotate", "--to", next)).code).toBe(0);
  expect((await run(open.url, OTHER_KEY, "key", "export", file)).code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).not.toContain(OTHER_KEY);
  expect((await run(open.url, OTHER_KEY, "key", "export", file)).stderr).toContain("EEXIST");

  const show = () => run(copy, OTHER_KEY, "payout", "show", "KEPT-1", "--json");
  expect((await show()).stderr).toContain("PAYRUN_KEY is not the key");
  expect((await run(copy, old, "key", "import", file)).stderr).toContain("not the key");
  expect(await run(copy, OTHER_KEY, "key", "import", next)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not from payrun key export"),
  });
  expect((await run(copy, OTHER_KEY, "key", "import", join(folder, "none"))).code).toBe(4);
  expect(await run(copy, OTHER_KEY, "key", "import", file)).toMatchObject({ code: 0 });
  expect((await show()).stdout).toContain("••4321");
  expect((await run(copy, OTHER_KEY, "audit", "verify")).code).toBe(0);
  expect((await run(copy, OTHER_KEY, "key", "import", file)).stderr).toContain("already uses");
});
