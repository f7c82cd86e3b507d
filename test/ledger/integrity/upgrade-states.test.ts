import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuditAction } from "#integrity/audit-actions.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { verifyLedger } from "#ledger/integrity/audit-states.ts";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { migrate } from "#ledger/store/migrate.ts";
import { findComments, findAssignments } from "#ledger/operations/failure-assignments.ts";
import { TEST_SEALER } from "../../support/ledger.ts";
import { olderLedger } from "../../support/older-ledger.ts";
import { force, query } from "../../support/servers/postgres.ts";

const FIRST_NEW = "0052-state-names.sql";
const AT = new Date("2026-05-01T10:00:00.000Z");
const GROUP = "failure_group:on_hold:amount_mismatch";

/**
 * A ledger of the previous version, with payouts and a deposit on hold, and manually resolved ones.
 */
const ROWS = `
  insert into users (id, email, name, roles) values ('US1', 'a', 'Ada', '{operator}'), ('US2', 'b', 'Bob', '{approver}');
  insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id, approved_at)
    values ('B1', 'd1', 'c1', 'x.csv', 'approved', 3, 0, '{}', 1, 3, now()),
      ('B2', 'd2', 'c2', 'y.csv', 'needs_correction', 1, 1, '{}', 4, 4, null);
  insert into sole_approvals (batch_id, content_digest, actor) values ('B1', 'c1', 'cli:root');
  insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, state, reason, seq)
    values (1, 'B1', 2, 'M/INR', 'INR', 100, 2, '', 'held', 'amount_mismatch: INR 2', 1),
      (2, 'B1', 3, 'M/INR', 'INR', 100, 2, '', 'held', 'not_asked', 2),
      (3, 'B1', 4, 'M/INR', 'INR', 100, 2, '', 'closed', 'closed_not_arrived: ticket 7: closed', 2);
  insert into transitions (payout_id, seq, event, from_state, to_state, reason, actor) values
    (1, 1, 'hold', 'approved', 'held', 'amount_mismatch: INR 2', 'payrun'),
    (2, 1, 'hold', 'approved', 'held', 'amount_mismatch', 'payrun'), (2, 2, 'hold', 'held', 'held', 'not_asked', 'payrun'),
    (3, 1, 'hold', 'approved', 'held', 'poison', 'payrun'),
    (3, 2, 'close', 'held', 'closed', 'closed_not_arrived: ticket 7: closed', 'user:US2');
  insert into payout_closings (payout_id, seq, finding, words, proposed_by, at, outcome, decided_by, decided_at) values
    (3, 1, 'not_arrived', 'ticket 7: closed', 'user:US1', now(), 'agreed', 'user:US2', now()),
    (1, 1, 'arrived', 'ticket 8', 'user:US1', now(), null, null, null);
  insert into wait_endings (payout_id, seq, words, proposed_by, at) values (2, 2, 'ticket 6', 'user:US1', now());
  insert into deposits (id, transaction_code, lane, currency, amount_minor, minor_digits, state, reason, seq, created_by,
      payload_digest, user_digest, link_digest, sealed) overriding system value
    values (1, 'D1', 'M/KRW', 'KRW', 100, 0, 'manual', 'manual_process', 1, 'x', '', '', 'l1', ''),
      (2, 'D2', 'M/KRW', 'KRW', 100, 0, 'closed', 'closed_came_in: KRW 100; ticket 9', 5, 'x', '', '', 'l2', ''),
      (3, 'D3', 'M/KRW', 'KRW', 100, 0, 'awaiting_bank', 'account_not_taken: no', 3, 'x', '', '', 'l3', ''),
      (4, 'D4', 'M/KRW', 'KRW', 100, 0, 'declined', 'not_taken', 1, 'x', '', '', 'l4', '');
  insert into deposit_closings (deposit_id, seq, finding, amount_minor, words, proposed_by, at, outcome, decided_by, decided_at)
    values (2, 4, 'came_in', 100, 'ticket 9', 'user:US1', now(), 'agreed', 'user:US2', now()),
      (1, 1, 'nothing', null, 'ticket 5', 'user:US1', now(), null, null, null);
  insert into deposit_transitions (deposit_id, seq, event, from_state, to_state, reason, actor) values
    (2, 1, 'ask_bank', 'requested', 'awaiting_bank', null, 'x'), (2, 2, 'hand_in', 'awaiting_bank', 'requested', null, 'x'),
    (2, 3, 'give_back', 'requested', 'awaiting_bank', 'account_not_taken: no', 'x'),
    (2, 4, 'hold', 'awaiting_bank', 'manual', 'manual_process', 'x'),
    (2, 5, 'close', 'manual', 'closed', 'closed_came_in: KRW 100; ticket 9', 'user:US2');
  insert into channels (id, name, kind, target, events, created_by) values
    ('CH1', 'on call', 'email', 'a@example.com', '{batch_waits,batch_given_back,batch_approved,batch_kept_back,alarm_over,audit_head}', 'x');
  insert into notices (id, key, event, object, facts) values
    ('N1', 'batch_given_back B2 2026-05-01', 'batch_given_back', 'B2', '{}'), ('N2', 'alarm_over x 2026', 'alarm_over', 'x', '{}'),
    ('N3', 'batch_approved B1', 'batch_approved', 'B1', '{}'),
    ('N4', 'alarm_raised doubt_old 2026', 'alarm_raised', 'doubt_old', '{}'),
    ('N5', 'alarm_over clock_apart 2026', 'alarm_over', 'clock_apart', '{}'),
    ('N6', 'batch_waits B2 c2 2026', 'batch_waits', 'B2', '{}');
  insert into raised_alarms (code, says) values ('doubt_old', 'x'), ('no_workers', 'x');
  insert into lanes (lane, reason, needs, brake) values
    ('M/INR', 'x', 'answers', 'doubt'), ('M/JPY', 'x', 'answers', 'unended'), ('M/KRW', 'x', 'person', 'first_seen'),
    ('M/THB', 'x', 'wait', 'slow'), ('M/VND', null, null, null);
  insert into unread_answers (lane, answer, times) values ('M/INR', 'x', 3);
  insert into money_limits (scope, currency, hard, amount) values ('day', 'INR', true, '500');
  insert into pending_changes (id, change, stands_on, proposed_by, at, expires_at) values
    ('PC1', '{"kind": "money_limits", "zone": "UTC"}', '', 'US1', now(), now()), ('PC2', '{"kind": "key"}', '', 'US1', now(), now());
  insert into repeats_allowed (batch_id, content_digest, repeats, actor, reason) values ('B1', 'c1', '{B0}', 'x', 'both are due');
  insert into triage (object, state, reason, assigned_to) values ('cause:held:amount_mismatch', 'held', 'amount_mismatch', 'US1'),
    ('cause:in_doubt:', 'in_doubt', null, 'US1');
  insert into saved_views (id, user_id, page, name, filters) values
    ('V1', 'US1', 'payouts', 'one', '{"state": "declined,held,closed", "reason": "not_asked"}'),
    ('V2', 'US1', 'batches', 'two', '{"state": "approved", "text": "held"}'),
    ('V3', 'US1', 'batches', 'three', '{"state": "waits"}'), ('V4', 'US1', 'batches', 'four', '{"state": "stuck"}')`;

const LINES = [
  ["ingest", "B1", { state: "awaiting_approval", people: 1 }],
  ["approve", "B1", { state: "approved", content_digest: "c1" }],
  ["ingest", "B2", { state: "awaiting_approval", people: 1 }],
  ["give_back", "B2", { state: "needs_correction", reason: "wrong month" }],
  ["note", "cause:held:amount_mismatch", { text: "asked their support" }],
  ["close_payout", "P3", { finding: "not arrived", proposed_by: "user:US1" }],
] as const;

let url: string;
let database: Database;
beforeAll(async () => {
  url = await olderLedger(FIRST_NEW);
  await force(url, ROWS);
  database = withAuditSeal(openDatabase(url, 2), TEST_SEALER);
  for (const [action, object, facts] of LINES) {
    await database.transaction().execute((transaction) =>
      appendAudit(transaction, AT, {
        actor: "cli:root",
        // Some are actions of the previous version.
        action: action as AuditAction,
        object,
        facts,
      }),
    );
  }
  await migrate(database);
});
afterAll(() => database.destroy());

const rows = (text: string) => query(url, text);

describe("the migration to the new names of states", () => {
  test("renames the states and reasons of payouts and deposits", async () => {
    expect(await rows("select state, reason from payouts order by id")).toEqual([
      { state: "on_hold", reason: "amount_mismatch: INR 2" },
      { state: "on_hold", reason: "not_queried" },
      { state: "resolved", reason: "resolved_not_arrived: ticket 7: closed" },
    ]);
    expect(await rows("select state, reason from deposits order by id")).toEqual([
      { state: "manual", reason: "manual_process" },
      { state: "resolved", reason: "resolved_received: KRW 100; ticket 9" },
      { state: "awaiting_bank", reason: "account_not_accepted: no" },
      { state: "declined", reason: "not_accepted" },
    ]);
  });

  test("renames the events and states of every transition", async () => {
    const moves =
      "event, from_state || ' ' || to_state as move, split_part(reason, ':', 1) as reason";
    const ofPayouts = await rows(`select ${moves} from transitions order by payout_id, seq`);
    expect(ofPayouts.map(({ event, move, reason }) => [event, move, reason])).toEqual([
      ["hold", "approved on_hold", "amount_mismatch"],
      ["hold", "approved on_hold", "amount_mismatch"],
      ["hold", "on_hold on_hold", "not_queried"],
      ["hold", "approved on_hold", "poison"],
      ["resolve", "on_hold resolved", "resolved_not_arrived"],
    ]);
    const ofDeposits = await rows(`select ${moves} from deposit_transitions order by seq`);
    expect(ofDeposits.map(({ event, move, reason }) => [event, move, reason])).toEqual([
      ["request_account", "requested awaiting_bank", null],
      ["send_account", "awaiting_bank requested", null],
      ["request_account_again", "requested awaiting_bank", "account_not_accepted"],
      ["hold", "awaiting_bank manual", "manual_process"],
      ["resolve", "manual resolved", "resolved_received"],
    ]);
  });

  test("keeps transitions append-only", async () => {
    for (const table of ["transitions", "deposit_transitions"]) {
      await expect(rows(`update ${table} set actor = 'x'`)).rejects.toThrow("append-only");
    }
  });

  test("keeps the audit log intact, with its old words, and explains every state", async () => {
    expect(await rows("select action from audit where action like '%give%'")).toHaveLength(1);
    expect(await verifyLedger(database)).toMatchObject({ intact: true, lines: LINES.length });
  });

  test("reveals a state that was set without a transition", async () => {
    await force(url, "update payouts set state = 'settled' where id = 3");
    expect(await verifyLedger(database)).toMatchObject({
      intact: false,
      why: expect.stringContaining(
        "1 payouts of batch B1 have a state that no transition explains",
      ),
    });
    await force(url, "update payouts set state = 'resolved' where id = 3");
  });

  test("refuses illegal moves and resolutions that nobody confirmed", async () => {
    for (const state of ["settled", "approved", "held", "closed"]) {
      await expect(rows(`update payouts set state = '${state}' where id = 1`)).rejects.toThrow(
        `a payout does not go from on_hold to ${state}`,
      );
    }
    await expect(rows("update payouts set state = 'resolved' where id = 1")).rejects.toThrow(
      "payout 1 is resolved without a confirmed resolution",
    );
    await expect(rows("update deposits set state = 'resolved' where id = 1")).rejects.toThrow(
      "deposit D1 is resolved without a confirmed resolution",
    );
    await expect(rows("update deposits set state = 'completed' where id = 2")).rejects.toThrow(
      "a deposit does not go from resolved to completed",
    );
  });

  test("keeps the proposed and confirmed resolutions, each of which is decided once", async () => {
    const found = (table: string) =>
      rows(`select seq, finding, evidence, outcome from ${table} order by id`);
    expect(await found("payout_resolutions")).toEqual([
      { seq: 1, finding: "not_arrived", evidence: "ticket 7: closed", outcome: "agreed" },
      { seq: 1, finding: "arrived", evidence: "ticket 8", outcome: null },
    ]);
    expect(await found("deposit_resolutions")).toEqual([
      { seq: 4, finding: "received", evidence: "ticket 9", outcome: "agreed" },
      { seq: 1, finding: "not_received", evidence: "ticket 5", outcome: null },
    ]);
    expect(await rows("select reason from wait_endings")).toEqual([{ reason: "ticket 6" }]);
    const decide = (table: string, by: string) =>
      rows(`update ${table} set outcome = 'agreed', decided_by = '${by}', decided_at = now()
        where outcome is null`);
    for (const table of ["payout_resolutions", "deposit_resolutions", "wait_endings"]) {
      await expect(decide(table, "user:US1")).rejects.toThrow("confirmed by another person");
      await decide(table, "user:US2");
      await expect(rows(`update ${table} set seq = 9`)).rejects.toThrow("is decided once");
      await expect(rows(`delete from ${table}`)).rejects.toThrow("append-only");
    }
    await rows("update payouts set state = 'resolved', seq = 2 where id = 1");
    await rows("update deposits set state = 'resolved', seq = 2 where id = 1");
  });

  test("keeps the assignments, comments and saved filters of failure groups", async () => {
    expect((await findAssignments(database, [GROUP])).get(GROUP)?.assignedTo?.id).toBe("US1");
    const comments = (await findComments(database, [GROUP], 5)).get(GROUP);
    expect(comments?.map(({ text }) => text)).toEqual(["asked their support"]);
    const filters = await rows("select filters from saved_views order by id");
    expect(filters.map((view) => view["filters"])).toEqual([
      { state: "declined,on_hold,resolved", reason: "not_queried" },
      { state: "approved", text: "held" },
      { state: "scheduled" },
      { state: "held_back" },
    ]);
  });
});

test("the events of channels and notices have their new names, and no fact is reported again", async () => {
  expect(await query(url, "select events from channels")).toEqual([
    {
      events: [
        "batch_awaiting_approval",
        "batch_sent_back",
        "batch_approved",
        "batch_held_back",
        "alarm_ended",
        "audit_checkpoint",
        "batch_withdrawn",
      ],
    },
  ]);
  expect(await query(url, "select key, event from notices order by id")).toEqual([
    { key: "batch_sent_back B2 2026-05-01", event: "batch_sent_back" },
    { key: "alarm_ended x 2026", event: "alarm_ended" },
    { key: "batch_approved B1", event: "batch_approved" },
    { key: "alarm_raised in_doubt_too_long 2026", event: "alarm_raised" },
    { key: "alarm_ended clocks_differ 2026", event: "alarm_ended" },
    { key: "batch_awaiting_approval B2 c2 2026", event: "batch_awaiting_approval" },
  ]);
  expect(await query(url, "select batch_id, reason from duplicates_allowed")).toEqual([
    { batch_id: "B1", reason: "both are due" },
  ]);
});

test("the alarms that are active keep their notices under the new codes", async () => {
  expect(await query(url, "select code from raised_alarms order by code")).toEqual([
    { code: "in_doubt_too_long" },
    { code: "no_workers" },
  ]);
  expect(
    await query(url, "select object from notices where id in ('N4', 'N5') order by id"),
  ).toEqual([{ object: "in_doubt_too_long" }, { object: "clocks_differ" }]);
});

test("stopped lanes keep their circuit breakers, unknown answers and payout limits", async () => {
  const lanes = await query(url, "select breaker from lanes order by lane");
  expect(lanes.map(({ breaker }) => breaker)).toEqual([
    "in_doubt",
    "no_final_state",
    "unknown_answer",
    "slow",
    null,
  ]);
  expect(await query(url, "select times from unknown_answers")).toEqual([{ times: 3 }]);
  expect(await query(url, "select amount from payout_limits")).toEqual([{ amount: "500" }]);
  expect(
    await query(url, "select change->>'kind' as kind from pending_changes order by id"),
  ).toEqual([{ kind: "payout_limits" }, { kind: "key" }]);
});
