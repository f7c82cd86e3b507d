import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "#app/config.ts";
import { appendAudit, startSigning, verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import {
  createCheckpointStore,
  readCheckpoint,
  saveCheckpoint,
} from "#ledger/integrity/audit-checkpoint.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { verifyLedger } from "#ledger/integrity/audit-states.ts";
import { openDatabase } from "#ledger/store/database.ts";
import { rotateKey } from "#ledger/erasure/rotate-key.ts";
import { createSealer } from "#ledger/store/sealing.ts";
import { openLedger } from "#app/open-ledger.ts";
import { Secret } from "#base/secret.ts";
import { auditVerdict } from "#views/integrity/audit-verdict.ts";
import {
  approvedBatch,
  openTestLedger,
  ingestFile,
  TEST_SEALER,
  type TestLedger,
} from "../../support/ledger.ts";
import { FAST, fileText, rowsOf, scratch } from "../../support/servers/payrun.ts";
import { force } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const append = (database = open.database) =>
  database.transaction().execute((transaction) =>
    appendAudit(transaction, new Date(), {
      actor: "ops",
      action: "note",
      object: "x",
      facts: {},
    }),
  );

interface Line {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly facts: string;
}
/** Rewrites the whole log, as someone with the database but without the key could. */
async function writeAnew(lines: readonly Line[]): Promise<void> {
  await force(open.url, "delete from audit");
  let hash = Buffer.alloc(32);
  for (const [index, { at, actor, action, object, facts }] of lines.entries()) {
    const values = [index + 1, at, actor, action, object, facts];
    hash = createHash("sha256").update(hash).update(JSON.stringify(values)).digest();
    await force(open.url, "insert into audit values ($1, $2, $3, $4, $5, $6, $7, 0)", [
      ...values,
      hash,
    ]);
  }
}
const linesNow = () => force(open.url, "select * from audit order by seq") as Promise<never[]>;

describe("I12 the ledger's key signs the hashes of the audit log", () => {
  test("detects a log rewritten without the key, without a saved checkpoint", async () => {
    for (let line = 0; line < 3; line += 1) await append();
    expect(await verifyAudit(open.database)).toMatchObject({ intact: true, lines: 3 });
    await writeAnew(await linesNow());
    expect(await verifyAudit(open.database)).toMatchObject({
      intact: false,
      why: expect.stringContaining("no line is signed"),
    });
  });

  test("detects a line added without the key", async () => {
    await append();
    const [line] = (await linesNow()) as unknown as (Line & { hash: Buffer })[];
    if (!line) throw new Error("no line");
    const values = [2, line.at, line.actor, "approve", "B1", "{}"];
    const hash = createHash("sha256").update(line.hash).update(JSON.stringify(values)).digest();
    await force(open.url, "insert into audit values ($1, $2, $3, $4, $5, $6, $7, 0)", [
      ...values,
      hash,
    ]);
    expect(await verifyAudit(open.database)).toMatchObject({ intact: false, brokenAt: 2 });
  });

  test("verifies a log of older code by the old rule up to the line that signs it", async () => {
    for (let line = 0; line < 3; line += 1) await append();
    await writeAnew(await linesNow());
    await startSigning(open.database, new Date());
    await startSigning(open.database, new Date());
    await append();
    expect(await verifyAudit(open.database)).toMatchObject({ intact: true, lines: 5 });
    const older = (await linesNow()).slice(0, 3) as Line[];
    await force(open.url, "update audit set facts = '[]' where seq = 2");
    expect(await verifyAudit(open.database)).toMatchObject({ intact: false, brokenAt: 2 });
    // Even where its own hashes are consistent again.
    await force(open.url, "create table kept as select * from audit where seq > 3");
    await writeAnew(older.map((line) => ({ ...line, actor: "other" })));
    await force(open.url, "insert into audit select * from kept");
    expect(await verifyAudit(open.database)).toMatchObject({ intact: false, brokenAt: 4 });
  });

  test("retires the previous signing key on rotation", async () => {
    await append();
    const from = new Secret(FAST["PAYRUN_KEY"] ?? "");
    const to = new Secret("62".repeat(32));
    const at = new Date();
    await force(open.url, "insert into settings values ('key_check', $1)", [TEST_SEALER.keyCheck]);
    await rotateKey(open.database, { from, to, actor: "cli:test", at });
    await expect(append()).rejects.toThrow("newer PAYRUN_KEY");
    const [ring] = await force(open.url, "select value from settings where name = 'key_ring'");
    const rotated = createSealer(to, String(ring?.["value"]));
    const database = withAuditSeal(openDatabase(open.url, 1), rotated);
    await append(database);
    expect(await verifyAudit(database)).toMatchObject({ intact: true, lines: 3 });
    // The first key alone signs nothing that counts after it.
    const [, , last] = (await linesNow()) as unknown as (Line & { seq: number; hash: Buffer })[];
    if (!last) throw new Error("no third line");
    const { seq, hash, at: time, facts } = last;
    const forged = [seq + 1, time, "user:US1", "approve", "B1", facts, 1];
    const mac = TEST_SEALER.sign(1, hash, JSON.stringify(forged));
    await force(open.url, "insert into audit values ($1, $2, $3, $4, $5, $6, $8, $7)", [
      ...forged,
      mac,
    ]);
    expect(await verifyAudit(database)).toMatchObject({ intact: false, brokenAt: 4 });
    await database.destroy();
  });
});

describe("the checkpoint outside the database", () => {
  test("detects a truncated log and is not overwritten by it", async () => {
    const folder = scratch();
    const env = { ...FAST, DATABASE_URL: open.url, PAYRUN_DATA: folder };
    const first = await openLedger(readConfig(env));
    await first.ledger.integrity.verify();
    await ingestFile(first.ledger, fileText(rowsOf(2)));
    await append(first.database);
    const { ledger_id: id } = await first.database
      .selectFrom("epoch")
      .select("ledger_id")
      .executeTakeFirstOrThrow();
    await first.close();
    const file = join(folder, `audit-${id}.json`);
    expect(existsSync(file)).toBe(true);
    const before = readFileSync(file, "utf8");

    await force(open.url, "delete from audit where seq = (select max(seq) from audit)");
    const later = await openLedger(readConfig(env));
    expect(await saveCheckpoint(later.database)).toContain("was truncated or rewritten");
    const verdict = await auditVerdict(later.database, new Date(), undefined);
    expect(verdict).toMatchObject({
      intact: false,
      why: expect.stringContaining("the log ends at line"),
    });
    await later.close();
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("yields to a restored ledger, whose freeze is on the log", async () => {
    const database = withAuditSeal(
      openDatabase(open.url, 1),
      TEST_SEALER,
      createCheckpointStore(scratch()),
    );
    await open.ledger.integrity.verify();
    for (let line = 0; line < 3; line += 1) await append(database);
    await saveCheckpoint(database);
    expect(await readCheckpoint(database)).toMatchObject({ line: 3, epoch: 1 });
    await force(open.url, "delete from audit where seq > 1");
    expect(await saveCheckpoint(database)).not.toBeNull();
    await open.ledger.integrity.freeze({ reason: "restored", actor: "cli:test" });
    expect(await saveCheckpoint(database)).toBeNull();
    expect(await readCheckpoint(database)).toMatchObject({ line: 2, epoch: 2 });
    await database.destroy();
  });
});

describe("audit verify reports changes that no line explains", () => {
  const found = async () => {
    const verdict = await verifyLedger(open.database);
    return verdict.intact ? "intact" : verdict.why;
  };

  test("reports no problem for a regular ledger", async () => {
    await approvedBatch(open.ledger, rowsOf(2));
    await ingestFile(open.ledger, fileText([{ code: "WAITS" }]));
    expect(await found()).toBe("intact");
  });

  test.each([
    [
      "a state of a batch",
      "update batches set state = 'approved'",
      "is approved, but the log says awaiting_approval",
    ],
    [
      "the number of people",
      "update batches set people_needed = 3",
      "requires 3 approvers, but the log says 1",
    ],
    [
      "an approval on the command line",
      "insert into sole_approvals (batch_id, content_digest, actor) select id, content_digest, 'cli:x' from batches",
      "has an approval by cli:x that is not in the log",
    ],
    [
      "an approval of a person",
      `insert into approvals (batch_id, user_id, content_digest, totals, expires_at)
       select id, 'US9', content_digest, '{}', now() from batches`,
      "has an approval by user:US9 that is not in the log",
    ],
    ["a state of a payout", "update payouts set state = 'settled'", "2 payouts of batch"],
    [
      "a payout that is sent",
      `with moved as (update payouts set state = 'approved', seq = 1 returning id)
       insert into transitions (payout_id, seq, event, from_state, to_state, actor)
       select id, 1, 'approve', 'awaiting_approval', 'approved', 'user:US9' from moved`,
      "are approved or sent, but the log has no approval of it",
    ],
  ])("%s", async (_what, statement, why) => {
    await ingestFile(open.ledger, fileText(rowsOf(2)));
    expect(await found()).toBe("intact");
    await force(open.url, statement);
    expect(await found()).toContain(why);
  });

  test("a batch that is not in the log", async () => {
    const { batch } = await ingestFile(open.ledger, fileText(rowsOf(2)));
    await force(
      open.url,
      `insert into batches select (json_populate_record(b, '{"id": "FORGED", "digest": "x"}')).* from batches b where id = $1`,
      [batch.id],
    );
    expect(await found()).toContain("batch FORGED is not in the log");
  });
});
