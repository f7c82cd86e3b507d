import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { migrate } from "#ledger/store/migrate.ts";
import { olderLedger } from "../../support/older-ledger.ts";
import { force, query } from "../../support/servers/postgres.ts";

const FIRST_NEW = "0056-table-names.sql";

/** Rows of the previous version in every table and column that migration 0056 renames. */
const ROWS = `
  delete from second_factor_roles;
  insert into users (id, email, name, roles) values ('US1', 'a', 'Ada', '{uploader}'), ('US2', 'b', 'Bob', '{approver}');
  insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id, maker,
      people_needed, submitted_at, submitted_by)
    values ('B1', 'd1', 'c1', 'x.csv', 'awaiting_approval', 2, 0, '{}', 1, 2, 'user:US1', 2, '2026-05-01Z', 'user:US1'),
      ('B2', 'd2', 'c2', 'y.csv', 'awaiting_approval', 0, 0, '{}', 0, 0, 'user:US1', 2, null, null);
  insert into remainders (batch_id, parent_id) values ('B2', 'B1');
  insert into sendings (batch_id, send_at, local, zone, expires_hours, set_by, stuck)
    values ('B1', '2026-05-02Z', '2026-05-02T00:00', 'UTC', 24, 'user:US2', 'its rows');
  insert into corrections (digest, batch_id, file_name, actor, rows, repaired, first_id, last_id)
    values ('k1', 'B1', 'fixed.csv', 'user:US1', 3, 2, 0, 0);
  insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, asks, asked_at, heard,
      heard_times, heard_since, heard_at)
    values (1, 'B1', 2, 'M/INR', 'INR', 100, 2, '', 4, '2026-05-01Z', 'not_found', 3, '2026-05-02Z', '2026-05-03Z');
  insert into deposits (id, transaction_code, lane, currency, amount_minor, minor_digits, state, created_by, payload_digest,
      user_digest, link_digest, sealed, asks, heard, heard_times) overriding system value
    values (1, 'D1', 'M/KRW', 'KRW', 100, 0, 'requested', 'x', '', '', 'l1', '', 5, 'unclear', 2);
  insert into lanes (lane, reason, needs, breaker, stops, asked_until)
    values ('M/INR', 'slow', 'wait', 'slow', 1, '2026-05-04Z');
  insert into lane_balances (lane, asked_at) values ('M/INR', '2026-05-05Z');
  insert into lane_endings (lane, ended_at) values ('M/INR', '2026-05-06Z');
  insert into pulse (at, counts, latency) values ('2026-05-01Z', '{1}', '{}');
  insert into raised_alarms (code, says, raised_at, over_at) values ('x', 'y', '2026-05-01Z', '2026-05-07Z');
  insert into duplicates_allowed (batch_id, content_digest, repeats, actor, reason) values ('B1', 'c1', '{B0}', 'x', 'due');
  insert into batch_anomalies (batch_id, content_digest, limits, flags, near, at) values ('B1', 'c1', '', '[]', '{"a": 1}', now());
  insert into lost_batches (batch_id, files, file_name, taken_in_at, rows, totals, host)
    values ('L1', '{}', 'z.csv', '2026-05-08Z', 1, '{}', 'h');
  insert into channels (id, name, kind, target, events, created_by) values ('CH1', 'ops', 'email', 'a@example.com', '{}', 'x');
  insert into notices (id, key, event, object, facts) values ('N1', 'k', 'test', 'x', '{}');
  insert into deliveries (notice_id, channel_id, tries) values ('N1', 'CH1', 6);
  insert into schedules (id, name, calendar, source, lead_hours, grace_hours, expires_hours, is_over, maker)
    values ('S1', 'pay', '{"zone": "UTC"}', '{}', 1, 1, 24, true, 'x');
  insert into occurrences (schedule_id, day, local, send_at, make_at, state, batch_id) values
    ('S1', '2026-05-01', '2026-05-01T00:00', '2026-05-01Z', '2026-05-01Z', 'made', 'B1'),
    ('S1', '2026-06-01', '2026-06-01T00:00', '2026-06-01Z', '2026-06-01Z', 'planned', null)`;

let url: string;
let database: Database;
beforeAll(async () => {
  url = await olderLedger(FIRST_NEW);
  await force(url, ROWS);
  database = openDatabase(url, 2);
  await migrate(database);
});
afterAll(() => database.destroy());

const day = (of: number) => new Date(Date.UTC(2026, 4, of));
const rows = (text: string) => query(url, text);

test("keeps every row under the new names of tables and columns", async () => {
  const found = await Promise.all(
    [
      "select batch_id, parent_id from retry_batches",
      "select batch_id, held_back from send_times",
      "select id, approval_requested_at as at, approval_requested_by as by from batches order by id",
      "select rows, corrected from corrections",
      "select counts from throughput_samples",
      "select lane, completed_at from lane_completions",
      "select lane, queried_at from lane_balances",
      "select breaker, gateway_pause_until from lanes",
      "select code, ended_at from raised_alarms",
      "select attempts from deliveries",
      "select uploaded_at from lost_batches",
      "select duplicates from duplicates_allowed",
      "select possible_duplicates from batch_anomalies",
      "select is_finished from schedules",
      "select create_at, state from occurrences order by day",
    ].map(rows),
  );
  expect(found).toEqual([
    [{ batch_id: "B2", parent_id: "B1" }],
    [{ batch_id: "B1", held_back: "its rows" }],
    [
      { id: "B1", at: expect.any(Date), by: "user:US1" },
      { id: "B2", at: null, by: null },
    ],
    [{ rows: 3, corrected: 2 }],
    [{ counts: ["1"] }],
    [{ lane: "M/INR", completed_at: day(6) }],
    [{ lane: "M/INR", queried_at: day(5) }],
    [{ breaker: "slow", gateway_pause_until: day(4) }],
    [{ code: "x", ended_at: day(7) }],
    [{ attempts: 6 }],
    [{ uploaded_at: day(8) }],
    [{ duplicates: ["B0"] }],
    [{ possible_duplicates: { a: 1 } }],
    [{ is_finished: true }],
    [
      { create_at: day(1), state: "created" },
      { create_at: new Date(Date.UTC(2026, 5, 1)), state: "planned" },
    ],
  ]);
});

test("keeps what the gateway answered about payouts and deposits", async () => {
  const answer = "status_queries as queries, status_answer as answer, status_answer_times as times";
  expect(await rows(`select ${answer} from deposits`)).toEqual([
    { queries: 5, answer: "unclear", times: 2 },
  ]);
  const times = "queried_at, status_answer_since as since, status_answer_at as at";
  expect(await rows(`select ${answer}, ${times} from payouts`)).toEqual([
    { queries: 4, answer: "not_found", times: 3, queried_at: day(1), since: day(2), at: day(3) },
  ]);
});

test("keeps the rule that only a batch sent for approval is approved", async () => {
  const approve = (batch: string, content: string) =>
    rows(`insert into approvals (batch_id, user_id, content_digest, totals, expires_at)
      values ('${batch}', 'US2', '${content}', '{}', now() + interval '1 day')`);
  await expect(approve("B2", "c2")).rejects.toThrow("is draft, and takes no approval");
  await approve("B1", "c1");
});
