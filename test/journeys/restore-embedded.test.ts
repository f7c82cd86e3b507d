import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { realpathSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../support/servers/eventually.ts";
import { startSetup, type Setup } from "../support/journey.ts";
import { documentOf, type Env, makeFile, rowsOf, runPayrun } from "../support/servers/payrun.ts";

/*
 * The data folder of the embedded database is restored and has lost a paid batch. The same file is
 * uploaded again.
 */

const ROWS = 20;

let setup: Setup;
let env: Env;
let dataFolder: string;
let backup: string;
let path: string;
let totals: readonly string[];

beforeEach(async () => {
  setup = await startSetup("postgres", { settleMs: 50 });
  chmodSync(setup.folder, 0o755);
  dataFolder = join(setup.folder, "data");
  backup = join(setup.folder, "backup");
  mkdirSync(dataFolder, { mode: 0o755 });
  const { DATABASE_URL: _url, PAYRUN_KEY: _key, ...rest } = setup.env;
  env = { ...rest, PAYRUN_DATA: dataFolder };
  ({ path, totals } = makeFile(setup.folder, rowsOf(ROWS)));
});
afterEach(async () => {
  await stopped();
  removeData();
  await setup.stop();
});

const payrun = (...words: readonly string[]) => runPayrun(words, env);
const pay = () => payrun("pay", path, "--json", ...totals);
const accepted = async () =>
  (await setup.gateway.log()).filter(({ event }) => event === "accepted").length;

/** The server stops some time after the last process that used it. */
const stopped = () =>
  eventually("the server stops", () =>
    readFileSync(join(dataFolder, "keeper.log"), "utf8").trimEnd().endsWith("stopped"),
  );

function removeData(): void {
  const cluster = realpathSync(join(dataFolder, "pg"));
  if (!cluster.startsWith(dataFolder)) rmSync(dirname(cluster), { recursive: true });
  rmSync(dataFolder, { recursive: true });
}

/** Pays the file and restores the data folder from before. */
async function loseTheBatch({ keepsMemory }: { readonly keepsMemory: boolean }): Promise<string> {
  expect((await payrun("batch", "list")).code).toBe(0);
  await stopped();
  execFileSync("cp", ["-aL", dataFolder, backup]);
  const paid = await pay();
  expect(documentOf(paid)).toMatchObject({ state: "finished", states: { settled: ROWS } });
  await stopped();
  const memory = readdirSync(dataFolder).filter((name) => name.startsWith("restore-memory-"));
  if (keepsMemory) {
    for (const name of memory) {
      cpSync(join(dataFolder, name), join(backup, name), { recursive: true });
    }
  }
  removeData();
  execFileSync("cp", ["-a", backup, dataFolder]);
  return documentOf(paid).batch_id;
}

test("F26 freezes a restored data folder when the record of files outside the ledger was kept, and quarantines the same file", async () => {
  const lost = await loseTheBatch({ keepsMemory: true });
  const doctor = await payrun("doctor");
  expect(doctor.code).toBe(8);
  expect(doctor.stdout + doctor.stderr).toContain(
    `it no longer contains a batch that this machine recorded, most recently ${lost}`,
  );
  const again = await pay();
  expect(again).toMatchObject({ code: 8, stderr: expect.stringContaining(`batch ${lost}`) });
  expect(await accepted()).toBe(ROWS);
});

test("F26 pays the same file under the same codes, which the gateway refuses, when data folder and record of files were restored together", async () => {
  await loseTheBatch({ keepsMemory: false });
  const again = await pay();
  expect(documentOf(again)).toMatchObject({ state: "finished", states: { settled: ROWS } });
  expect(await accepted()).toBe(ROWS);
});
