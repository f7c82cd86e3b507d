/**
 * Attacks by somebody who has the password of the application's role, and what only the owner can
 * do.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Batch } from "#ledger/ledger.ts";
import {
  approvedBatch,
  openTestLedger,
  ingestFile,
  sendForApproval,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";
import { asIs, query } from "../../support/servers/postgres.ts";

let open: TestLedger;
let approved: Batch;
let waiting: Batch;
beforeAll(async () => {
  open = await openTestLedger();
  approved = await approvedBatch(open.ledger, [{}]);
  waiting = (await ingestFile(open.ledger, fileText([{}]), "user:US1")).batch;
  await sendForApproval(open.database, waiting);
  await query(open.url, "update batches set people_needed = 2 where id = $1", [waiting.id]);
});
afterAll(() => open.close());

/** As the application's role, without payrun. */
const attack = (text: string) => asIs(open.url, text);

/** Approvals in temporary tables with the names of the ledger's. */
const forged = () => `
  create temp table live_approvals as
    select id as batch_id, content_digest, n::text as user_id from payrun.batches, generate_series(1, 9) n;
  create temp table sole_approvals as select id as batch_id, content_digest from payrun.batches;
  set search_path = pg_temp, payrun;
  update payrun.batches set state = 'approved' where id = '${waiting.id}'`;

const DENIED = /permission denied|must be owner|must be superuser|must be able to SET ROLE/;

describe("the application's role cannot remove the rules", () => {
  test.each([
    ["disable a trigger", "alter table batches disable trigger checked"],
    ["disable all triggers", "alter table payouts disable trigger all"],
    ["drop a trigger", "drop trigger lifecycle on payouts"],
    [
      "create a trigger",
      "create trigger t before insert on audit execute function refuse_change()",
    ],
    ["alter a table", "alter table batches add column x int"],
    ["take a table over", "alter table batches owner to current_user"],
    ["drop a table", "drop table audit cascade"],
    [
      "replace a function",
      "create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'",
    ],
    ["change where a function reads", "alter function check_batch() reset search_path"],
    ["replace a view", "create or replace view approved_batches as select id from batches"],
    [
      "create a function in the schema",
      "create function payrun.now() returns timestamptz language sql as 'select null'",
    ],
    ["create a table in the schema", "create table payrun.mine (x int)"],
    ["create a schema", "create schema mine"],
    ["rename the schema", "alter schema payrun rename to other"],
    ["drop the schema", "drop schema payrun cascade"],
    ["turn triggers off for its session", "set session_replication_role = replica"],
    ["set payout numbers back", "select setval('payouts_id_seq', 1)"],
    ["become the owner", "set role payrun"],
    ["make itself a superuser", "alter role current_user superuser"],
    ["create a role", "create role mine"],
    ["read files of the server", "select pg_read_file('PG_VERSION')"],
    ["start a program", "copy batches to program 'cat'"],
  ])("it cannot %s", async (_what, text) => {
    await expect(attack(text)).rejects.toThrow(DENIED);
  });

  test.each([
    "audit",
    "approvals",
    "sole_approvals",
    "payouts",
    "batches",
    "transitions",
    "migrations",
  ])("it cannot truncate, delete or grant on %s", async (table) => {
    await expect(attack(`truncate ${table} cascade`)).rejects.toThrow(DENIED);
    await expect(attack(`delete from ${table}`)).rejects.toThrow(DENIED);
    await attack(`grant all on ${table} to current_user`);
    await expect(attack(`delete from ${table}`)).rejects.toThrow(DENIED);
  });

  test.each([
    "update audit set actor = 'other'",
    "update attempts set worker = 'other'",
    "update transitions set actor = 'other'",
    "update sole_approvals set actor = 'other'",
    "update payout_details set sealed = ''",
    "update migrations set checksum = 'other'",
    "insert into migrations (number, name, checksum) values (9999, 'x', 'x')",
  ])("it cannot rewrite: %s", async (text) => {
    await expect(attack(text)).rejects.toThrow(DENIED);
  });
});

describe("the application's role cannot bypass the rules", () => {
  test.each([
    [
      "fewer people for a batch",
      () => `update batches set people_needed = 1 where id = '${waiting.id}'`,
      "people_needed_only_rises",
    ],
    [
      "approval without approvals",
      () => `update batches set state = 'approved' where id = '${waiting.id}'`,
      "batch_has_its_approvals",
    ],
    [
      "an approval alone",
      () =>
        `insert into sole_approvals (batch_id, content_digest, actor) values ('${waiting.id}', '${waiting.contentDigest}', 'cli:root')`,
      "batch_has_its_approvals",
    ],
    [
      "a payout out of a final state",
      () =>
        `update payouts set state = 'settled' where batch_id = '${approved.id}'; update payouts set state = 'approved' where batch_id = '${approved.id}'`,
      "lifecycle",
    ],
    [
      "another amount",
      () => `update payouts set amount_minor = 1 where batch_id = '${approved.id}'`,
      "payout_stays",
    ],
    [
      "fewer payouts in an approved batch",
      () => `select remove_payouts(array_agg(id)) from payouts where batch_id = '${approved.id}'`,
      "payout_stays",
    ],
    [
      "fewer payouts in a batch that awaits approval",
      () => `select remove_payouts(array_agg(id)) from payouts where batch_id = '${waiting.id}'`,
      "payout_stays",
    ],
  ])("%s", async (_what, text, constraint) => {
    await expect(attack(text())).rejects.toMatchObject({ constraint });
  });

  test("ignores a temporary table with the name of the approvals", async () => {
    await expect(attack(forged())).rejects.toMatchObject({ constraint: "batch_has_its_approvals" });
  });
});

test("the owner can run the statements of the attacks", async () => {
  const owner = (text: string) => query(open.url, text);
  await owner("alter function check_batch() reset search_path");
  await attack(forged());
  await owner("alter table batches disable trigger checked");
  await owner(`update batches set people_needed = 1 where id = '${waiting.id}'`);
  await owner("alter table batches enable trigger checked");
  await owner("set session_replication_role = replica; update audit set actor = 'other'");
  await owner("create function payrun.mine() returns int language sql as 'select 1'");
  expect(await query(open.url, "select payrun.mine() as made")).toEqual([{ made: 1 }]);
});
