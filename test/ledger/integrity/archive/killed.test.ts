import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { openArchive, payoutsIn } from "#integrity/archive/read.ts";
import { findArchives } from "#ledger/integrity/archive/registry.ts";
import { restoreArchive } from "#ledger/integrity/archive/work-archive.ts";
import {
  figuresOf,
  payMixedBatches,
  randomNumbers,
  rowsOf,
} from "../../../support/archives/mixed-ledger.ts";
import { openTestLedger, type TestLedger } from "../../../support/ledger.ts";
import { FAST } from "../../../support/servers/payrun.ts";
import { query } from "../../../support/servers/postgres.ts";

const PROCESS = join(import.meta.dirname, "../../../support/archives/archive-process.ts");
const KILLS_MAX = 25;

let open: TestLedger;
let folder: string;
beforeAll(async () => {
  open = await openTestLedger();
  folder = mkdtempSync(join(tmpdir(), "payrun-archive-"));
});
afterAll(async () => {
  await open.close();
  rmSync(folder, { recursive: true });
});

/** Runs the process. Returns false if it was killed after this many milliseconds of work. */
async function run(killAfterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [PROCESS, open.url, FAST["PAYRUN_KEY"] ?? "", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  const timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const [code] = await ended;
  clearTimeout(timer);
  return code === 0;
}

test("loses no row and archives none twice, wherever its process is killed", async () => {
  const random = randomNumbers(20);
  const ids = await payMixedBatches(open, { batches: 9, rows: 8, random });
  const [before, rows] = [await figuresOf(open, ids), await rowsOf(open)];
  let kills = 0;
  while (kills < KILLS_MAX && !(await run(random() * 20 * (kills + 1)))) kills += 1;
  expect(kills).toBeGreaterThan(1);
  expect(await run(60_000)).toBe(true);

  const known = await findArchives(open.database);
  const seen = new Set<number>();
  for (const { fileName } of known) {
    const archive = await openArchive(join(folder, fileName), open.sealer.publicKeys());
    for (const part of archive.manifest.parts)
      for (const { payout } of payoutsIn(await archive.partText(part))) {
        expect(seen.has(payout.id)).toBe(false);
        seen.add(payout.id);
      }
    await archive.close();
  }
  const [all] = await query(open.url, "select count(*)::int as n from payouts");
  expect(seen.size).toBe(all?.["n"]);
  expect(readdirSync(folder).filter((name) => name.endsWith(".partial"))).toEqual([]);
  expect(await figuresOf(open, ids)).toEqual(before);
  const [left] = await query(
    open.url,
    "select count(*)::int as n from payout_details where sealed <> ''",
  );
  expect(left?.["n"]).toBe(0);

  for (const { fileName } of known) {
    const archive = await openArchive(join(folder, fileName), open.sealer.publicKeys());
    await restoreArchive(archive, { actor: "cli:test" }, { ...open, clock: systemClock });
    await archive.close();
  }
  expect(await rowsOf(open)).toEqual(rows);
});
