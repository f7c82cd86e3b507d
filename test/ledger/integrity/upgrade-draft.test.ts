import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuditAction } from "#integrity/audit-actions.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { verifyLedger } from "#ledger/integrity/audit-states.ts";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { migrate } from "#ledger/store/migrate.ts";
import { TEST_SEALER } from "../../support/ledger.ts";
import { olderLedger } from "../../support/older-ledger.ts";
import { force, query } from "../../support/servers/postgres.ts";

/** Batches of the previous version: from a user, a key and the command line, sent or not. */
const BATCHES = [
  { id: "B1", maker: "user:US1", requested: false, state: "draft" },
  { id: "B2", maker: "user:US1", requested: true, state: "awaiting_approval" },
  { id: "B3", maker: "key:AK1", requested: false, state: "draft" },
  { id: "B4", maker: "cli:root", requested: false, state: "awaiting_approval" },
];

let url: string;
let database: Database;
beforeAll(async () => {
  url = await olderLedger("0058-draft.sql");
  database = withAuditSeal(openDatabase(url, 2), TEST_SEALER);
  for (const { id, maker, requested } of BATCHES) {
    await force(
      url,
      `insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id,
          maker, people_needed, people_reason, approval_requested_at)
        values ($1, $1, 'c', 'x.csv', 'awaiting_approval', 1, 0, '{}', 1, 1, $2, 2, '', $3)`,
      [id, maker, requested ? "2026-05-01Z" : null],
    );
    await log(id, maker, "ingest", { state: "awaiting_approval", people: 2 });
    if (requested) await log(id, maker, "request_approval", {});
  }
  await migrate(database);
});
afterAll(() => database.destroy());

const log = (object: string, actor: string, action: AuditAction, facts: object) =>
  database.transaction().execute((transaction) =>
    appendAudit(transaction, new Date("2026-05-01T10:00:00.000Z"), {
      actor,
      action,
      object,
      facts: { ...facts },
    }),
  );

test("makes a draft of each batch that a user or key has not sent for approval", async () => {
  const found = await query(url, "select id, state from batches order by id");
  expect(found).toEqual(BATCHES.map(({ id, state }) => ({ id, state })));
});

test("still finds the states in the older audit log", async () => {
  expect(await verifyLedger(database)).toMatchObject({ intact: true });
  await force(url, "update batches set state = 'awaiting_approval' where id = 'B1'");
  expect(await verifyLedger(database)).toMatchObject({
    intact: false,
    why: expect.stringContaining("batch B1 is awaiting_approval, but the log says draft"),
  });
});
