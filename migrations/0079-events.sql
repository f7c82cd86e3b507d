-- Events for programs: results of payouts, approvals and ends of batches, and breaks. A trigger queues each event in the
-- transaction that causes it; one process at a time then gives the committed ones consecutive numbers.
-- Breaks older code: no. Writes to transitions, batches and breaks wait until this ends, which takes about 20 seconds for each
-- million payouts.

create table unpublished_events (
  id        bigint generated always as identity primary key,
  type      text not null,
  batch_id  text,                           -- null: the publisher adds the batch of the payout
  payout_id bigint,
  seq       bigint,                         -- transition of the payout, or ID of the break
  at        timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

create table events (
  number    bigint primary key,             -- without gaps, in the order in which consumers see the events
  tag       text not null default substr(gen_random_uuid()::text, 1, 8), -- differs if a restored ledger uses the number again
  type      text not null,
  batch_id  text,
  payout_id bigint,
  seq       bigint,
  at        timestamptz not null
);
create index events_of_batch on events (batch_id, number);
create index events_in_doubt on events (payout_id, seq) where type = 'payout_in_doubt_too_long';
create trigger append_only before update or delete or truncate on events for each statement execute function refuse_change();

create function queue_payout_event() returns trigger language plpgsql as $$
begin
  insert into unpublished_events (type, payout_id, seq, at) values ('payout_' || new.to_state, new.payout_id, new.seq, new.at);
  return null;
end $$;
alter function queue_payout_event() set search_path = pg_catalog, payrun, pg_temp;
-- The final states of payouts: test/ledger/feed/publish-events.test.ts compares this list with the code.
create trigger event after insert on transitions for each row
  when (new.to_state in ('settled', 'declined', 'on_hold', 'returned', 'resolved', 'cancelled'))
  execute function queue_payout_event();

create function queue_batch_event() returns trigger language plpgsql as $$
begin
  insert into unpublished_events (type, batch_id, at) values ('batch_' || new.state, new.id, now());
  return null;
end $$;
alter function queue_batch_event() set search_path = pg_catalog, payrun, pg_temp;
-- Resuming a paused batch is not an approval.
create trigger event after update of state on batches for each row
  when (old.state <> new.state and (new.state in ('finished', 'finished_with_exceptions', 'cancelled')
    or new.state = 'approved' and old.state <> 'paused'))
  execute function queue_batch_event();

create function queue_break_event() returns trigger language plpgsql as $$
begin
  insert into unpublished_events (type, seq, at) values ('break_opened', new.id, now());
  return null;
end $$;
alter function queue_break_event() set search_path = pg_catalog, payrun, pg_temp;
create trigger found after insert on breaks for each row execute function queue_break_event();
create trigger reopened after update of state on breaks for each row
  when (new.state = 'open' and old.state in ('resolved', 'closed'))
  execute function queue_break_event();

-- The triggers hold their locks until this commits, so each event is either here or queued. A transition can have an earlier time
-- than the one before it, because the time is that of the beginning of its transaction.
insert into events (number, type, batch_id, payout_id, seq, at)
  select row_number() over (order by position, payout_id nulls last, seq), type, batch_id, payout_id, seq, at
  from (
    select 'payout_' || t.to_state as type, p.batch_id, t.payout_id, t.seq::bigint as seq, t.at,
      max(t.at) over (partition by t.payout_id order by t.seq) as position
    from transitions t join payouts p on p.id = t.payout_id
    where t.to_state in ('settled', 'declined', 'on_hold', 'returned', 'resolved', 'cancelled')
    union all
    select 'batch_approved', id, null, null, approved_at, approved_at from batches where approved_at is not null
    union all
    select 'batch_' || state, id, null, null, coalesce(finished_at, updated_at), coalesce(finished_at, updated_at)
    from batches where state in ('finished', 'finished_with_exceptions', 'cancelled')
    union all
    select 'break_opened', null, null, id, found_at, found_at from breaks
  ) past;
