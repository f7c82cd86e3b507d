/** Payouts of one batch. */
export const BATCH_ROWS = 10_000;

/**
 * Writes a finished batch of settled payouts with details of a typical size, one attempt, two
 * answers and four transitions each. $1: ID of the batch; $2: its number.
 */
export const FILL_BATCH = `
  with made as (
    insert into payouts (batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, state, seq, attempts,
      maybe_arrived, gateway_number, fee_minor, fee_digits, first_sent_at, last_sent_at, settled_at, updated_at)
    select $1, n, 'BENCH/INR', 'INR', 10000 + n * 7919 % 1000000, 2, sha256(n::text::bytea), 'settled', 4, 1,
      true, 'WD' || upper(substr(md5($1::text || '-' || n), 1, 14)), 100, 2, at, at, at, at
    from generate_series(0, ${BATCH_ROWS - 1}) n, lateral (select now() - interval '2 years' + $2::int * interval '1 hour') t (at)
    returning id, line, amount_minor, updated_at
  ),
  details as (
    insert into payout_details (payout_id, transaction_code, account_digest, amount_minor, minor_unit, bank, account_tail, name_key, user_key, sealed)
    select id, 'PR' || upper(substr(md5($1::text || '-' || line), 1, 18)), sha256(($1::text || '-' || line)::bytea), amount_minor, 0.01, 'HDFC',
      line, line * 7919::bigint, line * 104729::bigint,
      substring((select string_agg(sha256((line * 16 + k)::text::bytea), '') from generate_series(1, 14) k) from 1 for 420)
    from made
  ),
  attempts as (
    insert into attempts (payout_id, number, opened_at, payload_digest, key_id, worker)
    select id, 1, updated_at, sha256(line::text::bytea), 'k1', 'worker:host-1:4711' from made
  ),
  evidence as (
    insert into evidence (payout_id, attempt, kind, at, facts)
    select id, 1, kind, updated_at, facts from made, (values
      ('answer', '{"outcome": "accepted", "http": 200, "code": "0", "text": "Success", "ms": 212}'::jsonb),
      ('status', '{"answer": "Completed", "http": 200, "code": "0", "amount": "100.00", "currency": "INR", "fee": "1.00", "ms": 87}')) k (kind, facts)
  ),
  lanes as (
    insert into batch_lanes (batch_id, lane, currency, minor_digits, rows, total_minor)
    select $1, 'BENCH/INR', 'INR', 2, count(*), sum(amount_minor) from made
  ),
  batches as (
    insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id, created_at, finished_at, updated_at)
    select $1, md5($1), md5($1), $1 || '.csv', 'finished', count(*), 0, '{}', min(id), max(id), min(updated_at), min(updated_at), min(updated_at) from made
  )
  insert into transitions (payout_id, seq, event, from_state, to_state, actor, at)
  select id, seq, event, from_state, to_state, 'worker:host-1:4711', updated_at from made, (values
    (1, 'approve', 'awaiting_approval', 'approved'), (2, 'send', 'approved', 'submitting'),
    (3, 'accept', 'submitting', 'accepted'), (4, 'settle', 'accepted', 'settled')) m (seq, event, from_state, to_state)`;
