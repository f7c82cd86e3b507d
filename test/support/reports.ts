/** A ledger with results on two days of March, and breaks of different ages. */
import { force } from "./servers/postgres.ts";

/** The day on which payouts settle. */
export const REPORTED = "2026-03-01";
/** The day on which a payout is returned. */
export const LAST_DAY = "2026-03-04";

/**
 * Fills an empty ledger. The lane M1/INR has its days in India, where one payout settles on the
 * next day.
 */
export async function reportedLedger(url: string): Promise<void> {
  for (const statement of [BATCH, PAYOUTS, TRANSITIONS, ZONE, BREAKS]) await force(url, statement);
}

/** Adds a currency with one settled payout on each of three days, enough for a chart. */
export const addChartedCurrency = (url: string) => force(url, CHARTED);

const BATCH = `
  insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id,
      created_at, approved_at)
    values ('B1', 'D1', 'C1', 'a.csv', 'finished', 7, 0, '{}', 1, 7, '2026-03-01Z', '2026-03-01 10:00Z');
  insert into batch_lanes (batch_id, lane, currency, minor_digits, rows, total_minor)
    values ('B1', 'M1/INR', 'INR', 2, 4, 1), ('B1', 'M1/VND', 'VND', 0, 3, 1)`;

/** An amount above 2^53 shows that no amount becomes a floating-point number. */
const PAYOUTS = `
  insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, state,
      fee_minor, fee_digits, first_sent_at, settled_at)
    select id, 'B1', id, lane, split_part(lane, '/', 2), amount, digits, '', state, fee, fee_digits, now(), settled::timestamptz
    from (values (1, 'M1/INR', 9007199254740992100, 2, 'settled', 150, 2, '2026-03-01 10:00:04Z'),
      (2, 'M1/INR', 20, 2, 'settled', 125, 3, '2026-03-01 20:00Z'),
      (3, 'M1/INR', 700, 2, 'declined', null, null, null),
      (4, 'M1/INR', 10, 2, 'on_hold', null, null, '2026-03-01 10:00:50Z'),
      (5, 'M1/VND', 5000, 0, 'returned', null, null, '2026-03-01 10:59Z'),
      (6, 'M1/VND', 900, 0, 'accepted', null, null, null),
      (7, 'M1/VND', 500, 0, 'settled', null, null, '2026-03-01 10:00:04Z'))
      made (id, lane, amount, digits, state, fee, fee_digits, settled)`;

const TRANSITIONS = `
  insert into transitions (payout_id, seq, event, from_state, to_state, actor, at)
    values (3, 4, 'decline', 'accepted', 'declined', 'x', '2026-03-01 12:00Z'),
      (4, 5, 'hold', 'settled', 'on_hold', 'x', '2026-03-02 13:00Z'),
      (5, 5, 'return', 'settled', 'returned', 'x', '2026-03-04 00:00Z')`;

const ZONE = `
  insert into opening_balances (lane, day, zone, amount_minor, minor_digits, reason, actor)
    values ('M1/INR', '2026-03-01', 'Asia/Kolkata', 0, 2, 'start', 'cli:x')`;

const BREAKS = `
  insert into breaks (lane, day, class, code, lines, basis, state, found_at, comparison)
    select lane, '2026-03-01', class, 'PR' || n, '{}', '', state, now() - age::interval, 'x'
    from (values (1, 'M1/INR', 'amount', 'open', '1 hour'), (2, 'M1/INR', 'amount', 'proposed', '3 days'),
      (3, 'M1/INR', 'amount', 'open', '20 days'), (4, 'M1/INR', 'amount', 'open', '50 days'),
      (5, 'M1/VND', 'fee', 'open', '31 days'), (6, 'M1/VND', 'status', 'resolved', '1 hour'),
      (7, 'M1/VND', 'status', 'closed', '1 hour')) made (n, lane, class, state, age)`;

const CHARTED = `
  insert into batch_lanes (batch_id, lane, currency, minor_digits, rows, total_minor)
    values ('B1', 'M1/THB', 'THB', 2, 3, 1);
  insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, state,
      fee_minor, fee_digits, first_sent_at, settled_at)
    select id, 'B1', id, 'M1/THB', 'THB', 9007199254740992100, 2, '', 'settled', 150, 2, now(), settled::timestamptz
    from (values (8, '2026-03-01 10:00:04Z'), (9, '2026-03-02 10:00Z'), (10, '2026-03-03 10:00Z')) made (id, settled)`;
