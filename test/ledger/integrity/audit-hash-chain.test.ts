import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appendAudit, verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { parseAuditPosition } from "#integrity/audit-checkpoint.ts";
import { openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
  for (let line = 1; line <= 10; line += 1) await append(line);
});
afterEach(() => open.close());

const append = (line: number) =>
  open.database.transaction().execute((transaction) =>
    appendAudit(transaction, new Date(line * 1_000), {
      actor: "ops",
      action: "approve",
      object: `B${line}`,
      facts: { total: "100" },
    }),
  );

/** As a database owner could, bypassing the triggers. */
async function tamper(statement: string): Promise<void> {
  await query(open.url, "alter table audit disable trigger append_only");
  await query(open.url, statement);
}

describe("I12 the audit chain", () => {
  test("is intact as written, and its latest hash identifies its content", async () => {
    const verdict = await verifyAudit(open.database);
    expect(verdict).toMatchObject({ intact: true, lines: 10 });
    expect(await verifyAudit(open.database)).toEqual(verdict);
    await append(11);
    expect(await verifyAudit(open.database)).not.toEqual(verdict);
  });

  // biome-ignore format: the table is easier to read in columns
  test.each([
    ["a changed actor",   "update audit set actor = 'other' where seq = 4", 4],
    ["a changed action",  "update audit set action = 'cancel' where seq = 4", 4],
    ["a changed object",  "update audit set object = 'B5' where seq = 4", 4],
    ["changed facts",     "update audit set facts = '{\"total\":\"900\"}' where seq = 4", 4],
    ["a changed time",    "update audit set at = '2020-01-01T00:00:00.000Z' where seq = 4", 4],
    ["a changed hash",    "update audit set hash = decode(repeat('00', 32), 'hex') where seq = 4", 4],
    ["a removed line",    "delete from audit where seq = 4", 4],
    ["a removed first line", "delete from audit where seq = 1", 1],
    ["a removed line with the rest renumbered", "delete from audit where seq = 4; update audit set seq = -seq where seq > 4; update audit set seq = -seq - 1 where seq < 0", 4],
    ["an inserted line",  "insert into audit select 11, at, actor, action, object, facts, hash, key from audit where seq = 10", 11],
    ["two swapped lines", "update audit set seq = case seq when 4 then -5 else -4 end where seq in (4, 5); update audit set seq = -seq where seq < 0", 4],
  ])("reveals %s", async (_what, statement, brokenAt) => {
    await tamper(statement);
    expect(await verifyAudit(open.database)).toMatchObject({ intact: false, brokenAt });
  });

  const headNow = async () => {
    const verdict = await verifyAudit(open.database);
    const head = verdict.intact ? parseAuditPosition(`${verdict.lines}:${verdict.head}`) : null;
    if (!head) throw new Error("the chain is broken");
    return head;
  };

  test("reveals a truncated end only to someone with a saved checkpoint", async () => {
    const kept = await headNow();
    await append(11);
    expect(await verifyAudit(open.database, kept)).toMatchObject({ intact: true, lines: 11 });
    await tamper("delete from audit where seq >= 10");
    expect(await verifyAudit(open.database)).toMatchObject({ intact: true, lines: 9 });
    const found = await verifyAudit(open.database, kept);
    expect(found).toMatchObject({ intact: false, brokenAt: 10 });
  });

  test("reveals a rewritten chain only to someone with a saved checkpoint", async () => {
    const kept = await headNow();
    await tamper("delete from audit");
    for (let line = 1; line <= 12; line += 1) await append(100 + line);
    expect(await verifyAudit(open.database)).toMatchObject({ intact: true, lines: 12 });
    const found = await verifyAudit(open.database, kept);
    expect(found).toMatchObject({ intact: false, brokenAt: 10 });
  });

  test("stays one chain under concurrent writes", async () => {
    await Promise.all(Array.from({ length: 20 }, (_, line) => append(100 + line)));
    expect(await verifyAudit(open.database)).toMatchObject({ intact: true, lines: 30 });
  });
});
