import { afterAll, beforeAll, expect, test } from "vitest";
import { findDeposit } from "#ledger/deposit/deposits.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { findComments, findAssignments } from "#ledger/operations/failure-assignments.ts";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { migrate } from "#ledger/store/migrate.ts";
import { sealPart } from "#ledger/deposit/sealed-deposits.ts";
import { TEST_SEALER } from "../../support/ledger.ts";
import { olderLedger } from "../../support/older-ledger.ts";
import { force, query } from "../../support/servers/postgres.ts";

const FIRST_NEW = "0057-remaining-names.sql";
const AT = new Date("2026-05-01T10:00:00.000Z");

/** Rows of the previous version in every table and column that migration 0057 renames. */
const ROWS = `
  delete from second_factor_roles;
  insert into users (id, email, name, roles) values ('US1', 'a', 'Ada', '{admin}'), ('US2', 'b', 'Bob', '{approver}');
  insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id, maker,
      people_needed, people_why)
    values ('B1', 'd1', 'c1', 'x.csv', 'awaiting_approval', 2, 0, '{}', 1, 2, 'cli:x', 2, 'the base rule');
  insert into approvals (batch_id, user_id, content_digest, totals, expires_at)
    values ('B1', 'US2', 'c1', '{}', now() + interval '1 day');
  update approvals set withdrawn_at = now(), withdrawn_why = 'taken back';
  insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, repeated, check_at)
    values (1, 'B1', 2, 'M/INR', 'INR', 100, 2, '', true, '2026-05-01Z');
  insert into triage (object, state, reason, assigned_to) values
    ('cause:on_hold:amount_mismatch', 'on_hold', 'amount_mismatch', 'US1');
  insert into triage (object, payout_id, assigned_to) values ('P1', 1, 'US1');
  insert into lane_pace (lane, rate, slow_rate, slow_aim) values ('M/INR', 5, 2, 3);
  update audit_noticed set seq = 7;
  insert into pending_changes (id, change, stands_on, proposed_by, at, expires_at)
    values ('PC1', '{"kind": "enable"}', 'US2 disabled', 'US1', now(), now() + interval '1 day');
  insert into schedules (id, name, calendar, source, lead_hours, grace_hours, expires_hours, maker)
    values ('S1', 'pay', '{"zone": "UTC"}', '{}', 1, 1, 24, 'x');
  insert into occurrences (schedule_id, day, local, send_at, create_at, state, why, look_at)
    values ('S1', '2026-05-01', '2026-05-01T00:00', '2026-05-01Z', '2026-05-01Z', 'due', 'no file yet', '2026-05-02Z');
  insert into unknown_answers (lane, answer, times, looked_at) values ('M/INR', 'x', 3, '2026-05-03Z');
  insert into raised_alarms (code, says) values ('no_workers', 'no worker runs');
  insert into notices (id, key, event, object, facts) values
    ('N1', 'k1', 'alarm_raised', 'no_workers', '{"says": "no worker runs", "since": "2026"}'), ('N2', 'k2', 'test', 'x', '{}');
  insert into lost_batches (batch_id, files, file_name, uploaded_at, rows, totals, host, acknowledged_at, acknowledged_by,
      acknowledged_why)
    values ('L1', '{}', 'z.csv', now(), 1, '{}', 'h', now(), 'user:US1', 'paid by hand')`;

const DESTINATION = { kind: "upi", upiId: "a@b", qrUrl: null } as const;

let url: string;
let database: Database;
beforeAll(async () => {
  url = await olderLedger(FIRST_NEW);
  await force(url, ROWS);
  const details = { currency: "INR", userId: "u1", name: null };
  await force(
    url,
    `insert into deposits (id, transaction_code, lane, currency, amount_minor, minor_digits, created_by, payload_digest,
        user_digest, link_digest, sealed, told) overriding system value
      values (1, 'D1', 'M/INR', 'INR', 100, 2, 'x', '', '', 'l1', $1, $2)`,
    [
      TEST_SEALER.seal(
        JSON.stringify({ details, paymentCode: null, callbackUrl: null, reference: null }),
        "deposits sealed D1",
      ),
      TEST_SEALER.seal(
        JSON.stringify({ destination: DESTINATION, banks: null }),
        "deposits told D1",
      ),
    ],
  );
  database = withAuditSeal(openDatabase(url, 2), TEST_SEALER);
  await database.transaction().execute((transaction) =>
    appendAudit(transaction, AT, {
      actor: "user:US1",
      action: "note",
      object: "cause:on_hold:amount_mismatch",
      facts: { text: "asked support" },
    }),
  );
  await migrate(database);
});
afterAll(() => database.destroy());

const rows = (text: string) => query(url, text);
const day = (of: number) => new Date(Date.UTC(2026, 4, of));

test("keeps every row under the new names of tables and columns", async () => {
  const found = await Promise.all(
    [
      "select people_reason from batches",
      "select withdrawn_reason from approvals",
      "select resent, double_payment_check_at as at from payouts",
      "select object, assigned_to from assignments order by object",
      "select lane, rate, slow_rate, slow_target from lane_rate_limits",
      "select seq::int from audit_notified",
      "select replaced_value from pending_changes",
      "select reason, next_check_at from occurrences",
      "select times, acknowledged_at from unknown_answers",
      "select code, text from raised_alarms",
      "select acknowledged_reason from lost_batches",
      "select facts from notices order by id",
    ].map(rows),
  );
  expect(found).toEqual([
    [{ people_reason: "the base rule" }],
    [{ withdrawn_reason: "taken back" }],
    [{ resent: true, at: day(1) }],
    [
      { object: "P1", assigned_to: "US1" },
      { object: "failure_group:on_hold:amount_mismatch", assigned_to: "US1" },
    ],
    [{ lane: "M/INR", rate: 5, slow_rate: 2, slow_target: 3 }],
    [{ seq: 7 }],
    [{ replaced_value: "US2 disabled" }],
    [{ reason: "no file yet", next_check_at: day(2) }],
    [{ times: 3, acknowledged_at: day(3) }],
    [{ code: "no_workers", text: "no worker runs" }],
    [{ acknowledged_reason: "paid by hand" }],
    [{ facts: { text: "no worker runs", since: "2026" } }, { facts: {} }],
  ]);
});

test("keeps the assignment of a failure group, and its comments under the old name", async () => {
  const group = "failure_group:on_hold:amount_mismatch";
  expect((await findAssignments(database, [group])).get(group)?.assignedTo?.name).toBe("Ada");
  expect((await findComments(database, [group], 9)).get(group)?.map(({ text }) => text)).toEqual([
    "asked support",
  ]);
});

test("opens the payment details of a deposit that an older version stored", async () => {
  expect((await findDeposit(database, TEST_SEALER, "D1"))?.destination).toEqual(DESTINATION);
  const banks = { destination: null, banks: [] };
  const sealed = sealPart(
    TEST_SEALER,
    "paymentDetails",
    { code: "D1", payer: Buffer.alloc(32) },
    banks,
  );
  expect(TEST_SEALER.open(sealed, "deposits told D1")).toBe(JSON.stringify(banks));
});

test("keeps the rule that a decided change is not edited", async () => {
  await expect(
    rows("update pending_changes set replaced_value = '', outcome = 'void', decided_at = now()"),
  ).rejects.toThrow("is decided once");
});
