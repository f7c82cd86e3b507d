import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "#app/config.ts";
import { recordHeartbeat, removeProcess } from "#ledger/operations/throughput-samples.ts";
import { type OpenLedger, openLedger } from "#app/open-ledger.ts";
import { openTestLedger, ingestFile, TEST_SEALER, type TestLedger } from "../../support/ledger.ts";
import { FAST, fileText, runHere, scratch } from "../../support/servers/payrun.ts";

const folder = scratch();
const NEXT = "4be8021c97fd3a65e0b1c84d7f9a236e58cc10f4a97b3d62e51f08ba94d7c6e3";
const LAST = "a3517e0c68d24fb9051ce87d96f42a3bb7c01d5e84f36a92c87e10b5d4f9263a";
const OLD = FAST["PAYRUN_KEY"] ?? "";
let before: TestLedger;
beforeAll(async () => {
  before = await openTestLedger();
});
afterAll(() => before.close());

const env = (key: string) => ({
  ...FAST,
  DATABASE_URL: before.url,
  PAYRUN_DATA: folder,
  PAYRUN_KEY: key,
});
const rotate = (from: string, to: string) => {
  const file = join(folder, "next.key");
  writeFileSync(file, `${to}\n`);
  return runHere(["key", "rotate", "--to", file], env(from));
};
const inLedger = async <T>(key: string, run: (open: OpenLedger) => Promise<T>): Promise<T> => {
  const open = await openLedger(readConfig(env(key)));
  try {
    return await run(open);
  } finally {
    await open.close();
  }
};
const accountOf = async (key: string, code: string): Promise<unknown> => {
  const {
    code: ended,
    stdout,
    stderr,
  } = await runHere(["payout", "show", code, "--json"], env(key));
  return ended === 0 ? stdout.includes("••4321") : stderr;
};
const rowOf = (code: string) => fileText([{ code, account: "50100012344321" }]);

test("decrypts old and new data with a rotated PAYRUN_KEY and nothing with the old key", async () => {
  await ingestFile(before.ledger, rowOf("BEFORE-1"));
  expect(await inLedger(OLD, async ({ database }) => rotateWhileRunning(database))).toBe(6);
  expect(await accountOf(OLD, "BEFORE-1")).toBe(true);

  expect((await rotate(OLD, "not a key")).code).toBe(2);
  expect(await runHere(["key", "rotate", "--to", "nowhere.key"], env(OLD))).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(
      "--to nowhere.key: the file with the new PAYRUN_KEY cannot be read",
    ),
  });
  expect((await rotate(OLD, NEXT)).code).toBe(0);
  expect(await accountOf(OLD, "BEFORE-1")).toContain("PAYRUN_KEY is not the key");
  expect(await accountOf(NEXT, "BEFORE-1")).toBe(true);
  const sealed = await inLedger(NEXT, async ({ ledger, sealer }) => {
    await ingestFile(ledger, rowOf("AFTER-1"));
    expect(sealer.digest("50100012344321")).toEqual(TEST_SEALER.digest("50100012344321"));
    return sealer.seal("50100012344321", "place");
  });
  expect(() => TEST_SEALER.open(sealed, "place")).toThrow("encrypted with key 2");

  // The old key could open an old backup.
  for (const used of [OLD, NEXT]) {
    expect(await rotate(NEXT, used)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("was used for this ledger before"),
    });
  }
  expect((await rotate(NEXT, LAST)).code).toBe(0);
  expect(await accountOf(LAST, "BEFORE-1")).toBe(true);
  expect(await accountOf(LAST, "AFTER-1")).toBe(true);
  expect(await inLedger(LAST, async ({ sealer }) => sealer.open(sealed, "place"))).toBe(
    "50100012344321",
  );
  const { stdout } = await runHere(["audit", "verify"], env(LAST));
  expect(stdout).toMatch(/intact/);
});

/** A running worker knows only the old keys. */
async function rotateWhileRunning(database: OpenLedger["database"]): Promise<number | null> {
  const process = { id: "P1", host: "h", pid: 7, version: "1", startedAt: new Date(), slots: 1 };
  const now = { works: true, inFlight: 0, sweptAgoMs: null, gatewayOffsetMs: null };
  await recordHeartbeat(database, process, { ...now, samples: [], jobs: [] });
  const { code } = await rotate(OLD, NEXT);
  await removeProcess(database, process);
  return code;
}
