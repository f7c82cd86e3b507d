-- Archive files of finished batches. Once a file is verified and its removal is agreed, the sealed details and the course of its
-- payouts can be removed: attempts, evidence, and transitions to states that are not results. The payouts themselves, their codes and
-- their results stay, so that totals, reports, events and late returns need no archive. See docs/decisions/0157.
-- Breaks older code: no. Older code shows no details of an archived payout.

create table archives (
  id         text primary key,
  file_name  text not null,
  until      timestamptz not null,          -- every payout in it has last changed before this time
  digest     bytea not null,                -- SHA-256 of the signed manifest
  batches    integer not null,
  payouts    bigint not null,
  created_by text not null,
  created_at timestamptz not null
);

-- A part of an archive file: up to a thousand payouts of one batch. It is removed in one transaction.
create table archive_parts (
  archive_id  text not null references archives (id),
  number      integer not null,
  batch_id    text not null references batches (id),
  first_id    bigint not null,
  last_id     bigint not null,
  payouts     integer not null,
  digest      bytea not null,               -- SHA-256 of its lines, as archive_lines returns them
  detached_at timestamptz,                  -- its rows were removed
  changed_at  timestamptz,                  -- a payout has changed since, so its rows stay, and another archive can contain them
  primary key (archive_id, number),
  check (detached_at is null or changed_at is null)
);
create index archive_parts_of_batch on archive_parts (batch_id, first_id);
create index archive_parts_left on archive_parts (archive_id, number) where detached_at is null and changed_at is null;

create trigger kept before update or delete or truncate on archives for each statement execute function refuse_change();
create trigger kept before delete or truncate on archive_parts for each statement execute function refuse_change();

-- Only detach_archive_part and restore_archive_part write to it: the transaction in which they change recorded history.
create table archive_transactions (id xid8 primary key);

create or replace function refuse_change() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if tg_op = 'DELETE' and tg_table_name in ('attempts', 'evidence', 'transitions')
      and exists (select from payrun.archive_transactions where id = pg_current_xact_id()) then
    return null;
  end if;
  raise exception 'the table % is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- As in migration 0101, except that an archive takes sealed details out, or puts them back.
create or replace function check_details_change() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if exists (select from payrun.archive_transactions where id = pg_current_xact_id())
      and to_jsonb(new) - 'sealed' = to_jsonb(old) - 'sealed' then
    return new;
  end if;
  if new.sealed <> '\x00'::bytea or new.name_key is not null or new.user_key is distinct from 0 or new.account_tail is not null
      or (new.payout_id, new.transaction_code, new.account_digest, new.amount_minor, new.minor_unit, new.bank, new.mixed_scripts)
        is distinct from
        (old.payout_id, old.transaction_code, old.account_digest, old.amount_minor, old.minor_unit, old.bank, old.mixed_scripts)
      or not exists (select from erasures where id = current_erasure() and account_digest = old.account_digest)
      or not exists (select from payouts where id = old.payout_id
        and state in ('settled', 'declined', 'returned', 'resolved', 'cancelled')) then
    raise exception 'the table payout_details is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- The payouts of a part as lines of JSON, in the order of their ids. The text depends only on the rows.
create function archive_lines(batch text, first bigint, last bigint) returns table (payout_id bigint, line text)
  language sql stable set search_path = pg_catalog, payrun, pg_temp set timezone = 'UTC' set bytea_output = 'hex' as $$
  select p.id, jsonb_build_object(
    'payout', to_jsonb(p) || jsonb_build_object('amount_minor', p.amount_minor::text, 'fee_minor', p.fee_minor::text),
    'details', to_jsonb(d) || jsonb_build_object('amount_minor', d.amount_minor::text, 'minor_unit', d.minor_unit::text,
      'name_key', d.name_key::text, 'user_key', d.user_key::text),
    'attempts', coalesce(a.items, '[]'), 'evidence', coalesce(e.items, '[]'), 'transitions', coalesce(t.items, '[]'))::text
  from payouts p
    join payout_details d on d.payout_id = p.id
    left join lateral (select jsonb_agg(to_jsonb(x) order by x.number) as items from attempts x where x.payout_id = p.id) a on true
    left join lateral (select jsonb_agg(to_jsonb(x) order by x.id) as items from evidence x where x.payout_id = p.id) e on true
    left join lateral (select jsonb_agg(to_jsonb(x) order by x.seq) as items from transitions x where x.payout_id = p.id) t on true
  where p.batch_id = batch and p.id between first and last
  order by p.id
$$;

-- Why the payouts of a batch cannot be archived yet; null: they can.
create function archive_obstacle(batch text, before timestamptz) returns text
  language sql stable set search_path = pg_catalog, payrun, pg_temp as $$
  select case
    when b.state not in ('finished', 'finished_with_exceptions', 'cancelled') then 'not_finished'
    when exists (select from payout_counts where batch_id = batch
        and state not in ('settled', 'declined', 'returned', 'resolved', 'cancelled')
        group by state having sum(payouts) > 0) then 'open_payouts'
    when coalesce(b.finished_at, b.updated_at) >= before or exists (
        select from payouts p where p.batch_id = batch and p.id between b.first_id and b.last_id and p.updated_at >= before) then 'recent'
    when exists (
        select from payouts p where p.batch_id = batch and p.id between b.first_id and b.last_id
          and (p.double_payment_check_at is not null or (p.state = 'settled' and p.status_answer = 'returned'))) then 'open_query'
    when exists (
        select from payouts p
          join opening_balances o on o.lane = p.lane
        where p.batch_id = batch and p.id between b.first_id and b.last_id
          and p.settled_at >= coalesce((select min(starts_at) from day_closes where lane = p.lane), o.day::timestamp at time zone o.zone)
          and not exists (
            select from day_closes c where c.lane = p.lane and c.starts_at <= p.settled_at and c.ends_at > p.settled_at
              and not exists (select from day_reopenings r where r.close_id = c.id))) then 'open_day'
    when exists (
        select from breaks k join payouts p on p.id = k.payout_id
        where k.state in ('open', 'proposed') and p.batch_id = batch) then 'open_break'
    when exists (
        select from payout_resolutions r join payouts p on p.id = r.payout_id where r.outcome is null and p.batch_id = batch
        union all
        select from wait_endings w join payouts p on p.id = w.payout_id where w.outcome is null and p.batch_id = batch) then 'open_proposal'
    when exists (
        select from comments c cross join unnest(c.mentions) m
        where c.batch_id = batch and not exists (
          select from comment_reads r
          where r.user_id = m and r.number >= c.number and r.object = coalesce(
            (select d.transaction_code from payout_details d where d.payout_id = c.payout_id), c.batch_id))
        and exists (select from users u where u.id = m and u.disabled_at is null)) then 'unread_mention'
    when exists (
        select from retry_batches r join batches o on o.id in (r.batch_id, r.parent_id)
        where batch in (r.parent_id, r.batch_id) and o.state not in ('finished', 'finished_with_exceptions', 'cancelled')) then 'open_retry'
    when exists (
        select from unpublished_events u where u.batch_id = batch
        union all
        select from unpublished_events u join payouts p on p.id = u.payout_id where p.batch_id = batch) then 'open_event'
  end
  from batches b where b.id = batch
$$;

-- Two admins have agreed to remove the rows of an archive. During the setup there is only one person.
create function is_archive_agreed(archive text) returns boolean
  language sql stable set search_path = pg_catalog, payrun, pg_temp as $$
  select not exists (select from setup_ended) or exists (
    select from pending_changes
    where outcome in ('confirmed', 'applied') and change ->> 'kind' = 'detach_archive' and change ->> 'archive_id' = archive)
$$;

create function check_archive_part() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.detached_at is not null or new.changed_at is not null then
      raise exception 'the rows of a new archive are in the ledger' using errcode = 'restrict_violation';
    end if;
  elsif (new.archive_id, new.number, new.batch_id, new.first_id, new.last_id, new.payouts, new.digest)
      is distinct from (old.archive_id, old.number, old.batch_id, old.first_id, old.last_id, old.payouts, old.digest) then
    raise exception 'the table archive_parts is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger checked before insert or update on archive_parts for each row execute function check_archive_part();

-- Removes the rows of a part, if they are exactly the lines of the file, completely or not at all. Returns detached, already or changed.
-- read_digest: SHA-256 of the lines, as they were read from the file just now.
create function detach_archive_part(archive text, part integer, read_digest bytea) returns text language plpgsql security definer
  set search_path = pg_catalog, payrun, pg_temp as $$
declare
  known payrun.archive_parts%rowtype;
  before timestamptz;
  ids bigint[];
  digest bytea;
begin
  select * into known from payrun.archive_parts where archive_id = archive and number = part for update;
  select until into before from payrun.archives where id = archive;
  if known is null or read_digest is distinct from known.digest then
    raise exception 'archive % does not contain part % with these lines', archive, part
      using errcode = 'restrict_violation', constraint = 'archive_verified';
  end if;
  if known.detached_at is not null then return 'already'; end if;
  if known.changed_at is not null then return 'changed'; end if;
  if not payrun.is_archive_agreed(archive) then
    raise exception 'removing the rows of archive % takes two admins', archive
      using errcode = 'restrict_violation', constraint = 'archive_agreed';
  end if;
  if exists (select from payrun.epoch where frozen_at is not null) then
    raise exception 'the ledger is frozen' using errcode = 'restrict_violation', constraint = 'archive_frozen';
  end if;
  ids := array(
    select id from payrun.payouts where batch_id = known.batch_id and id between known.first_id and known.last_id order by id for update);
  select sha256(convert_to(string_agg(line || E'\n', '' order by payout_id), 'UTF8')) into digest
  from payrun.archive_lines(known.batch_id, known.first_id, known.last_id);
  if digest is distinct from known.digest or cardinality(ids) <> known.payouts
      or payrun.archive_obstacle(known.batch_id, before) is not null then
    update payrun.archive_parts set changed_at = now() where archive_id = archive and number = part;
    return 'changed';
  end if;
  insert into payrun.archive_transactions values (pg_current_xact_id());
  delete from payrun.attempts where payout_id = any(ids);
  delete from payrun.evidence where payout_id = any(ids);
  delete from payrun.transitions where payout_id = any(ids)
    and to_state not in ('settled', 'declined', 'on_hold', 'returned', 'resolved', 'cancelled');
  update payrun.payout_details set sealed = '' where payout_id = any(ids);
  delete from payrun.archive_transactions where id = pg_current_xact_id();
  update payrun.archive_parts set detached_at = now() where archive_id = archive and number = part;
  return 'detached';
end $$;

-- Puts the rows of a part back, from the text of the file. Returns restored or already.
create function restore_archive_part(archive text, part integer, content text) returns text language plpgsql security definer
  set search_path = pg_catalog, payrun, pg_temp as $$
declare
  known payrun.archive_parts%rowtype;
begin
  select * into known from payrun.archive_parts where archive_id = archive and number = part for update;
  if known is null or sha256(convert_to(content, 'UTF8')) is distinct from known.digest then
    raise exception 'archive % does not contain part % with these lines', archive, part
      using errcode = 'restrict_violation', constraint = 'archive_verified';
  end if;
  if known.detached_at is null then return 'already'; end if;
  insert into payrun.archive_transactions values (pg_current_xact_id());
  insert into payrun.attempts
  select x.* from string_to_table(rtrim(content, E'\n'), E'\n') l, jsonb_populate_recordset(null::payrun.attempts, l::jsonb -> 'attempts') x;
  insert into payrun.evidence overriding system value
  select x.* from string_to_table(rtrim(content, E'\n'), E'\n') l, jsonb_populate_recordset(null::payrun.evidence, l::jsonb -> 'evidence') x;
  insert into payrun.transitions
  select x.* from string_to_table(rtrim(content, E'\n'), E'\n') l, jsonb_populate_recordset(null::payrun.transitions, l::jsonb -> 'transitions') x
  where x.to_state not in ('settled', 'declined', 'on_hold', 'returned', 'resolved', 'cancelled');
  update payrun.payout_details d set sealed = x.sealed
  from string_to_table(rtrim(content, E'\n'), E'\n') l, jsonb_populate_record(null::payrun.payout_details, l::jsonb -> 'details') x
  where d.payout_id = x.payout_id and d.sealed = '';
  delete from payrun.archive_transactions where id = pg_current_xact_id();
  update payrun.archive_parts set detached_at = null where archive_id = archive and number = part;
  return 'restored';
end $$;

revoke all on function detach_archive_part(text, integer, bytea) from public;
revoke all on function restore_archive_part(text, integer, text) from public;
