/** The daily checkpoint reads the lines since the last one, and has the same root. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCheckpointStore } from "#ledger/integrity/audit-checkpoint.ts";
import { verifyGrownAudit } from "#ledger/integrity/audit-growth.ts";
import { appendAudit, verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { openTestLedger, TEST_SEALER, type TestLedger } from "../../support/ledger.ts";
import { scratch } from "../../support/servers/payrun.ts";
import { force } from "../../support/servers/postgres.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-26T00:00:00Z");
let open: TestLedger;
let database: Database;
beforeEach(async () => {
  open = await openTestLedger();
  database = withAuditSeal(
    openDatabase(open.url, 1),
    TEST_SEALER,
    createCheckpointStore(scratch()),
  );
  await open.ledger.integrity.verify();
});
afterEach(async () => {
  await database.destroy();
  await open.close();
});

const append = async (count: number): Promise<void> => {
  for (let line = 0; line < count; line += 1) {
    await database.transaction().execute((transaction) =>
      appendAudit(transaction, new Date(NOW), {
        actor: "cli:test",
        action: "pause",
        object: "B1",
        facts: { line },
      }),
    );
  }
};
const verify = (days = 0) => verifyGrownAudit(database, new Date(NOW + days * DAY_MS));

test.each([0, 1, 2, 7, 8])("has the root of the whole log after %i more lines", async (more) => {
  await append(13);
  await verify();
  await append(more);
  const whole = await verifyAudit(database);
  expect(await verify()).toEqual(whole);
  expect(whole).toMatchObject({ intact: true, lines: 13 + more });
});

test("finds a change of a new line at once, and of an older line within a week", async () => {
  await append(5);
  expect(await verify()).toMatchObject({ intact: true });
  await append(3);
  await force(open.url, "update audit set facts = '{}' where seq = 7");
  expect(await verify()).toMatchObject({ intact: false, brokenAt: 7 });
  await force(open.url, `update audit set facts = '{"line":1}' where seq = 7`);
  expect(await verify()).toMatchObject({ intact: true, lines: 8 });
  // The daily check does not read this line again.
  await force(open.url, "update audit set actor = 'cli:other' where seq = 2");
  expect(await verify(6)).toMatchObject({ intact: true, lines: 8 });
  expect(await verify(7)).toMatchObject({ intact: false, brokenAt: 2 });
  expect(await verify(6)).toMatchObject({ intact: true });
});

test("finds at once that the last verified line is missing or was rewritten", async () => {
  await append(5);
  await verify();
  await force(open.url, "delete from audit where seq > 3");
  expect(await verify()).toMatchObject({
    intact: false,
    why: expect.stringContaining("the log ends at line 3"),
  });
  // Somebody with the key of the ledger writes other lines in their place.
  await append(4);
  expect(await verifyAudit(database)).toMatchObject({ intact: true });
  expect(await verify()).toMatchObject({
    intact: false,
    brokenAt: 5,
    why: expect.stringContaining("the log was rewritten"),
  });
});

test("reads the whole log again after a restore", async () => {
  await append(5);
  await verify();
  await force(open.url, "delete from audit where seq > 3");
  await open.ledger.integrity.freeze({ reason: "restored", actor: "cli:test" });
  expect(await verify()).toMatchObject({ intact: true, lines: 4 });
});
