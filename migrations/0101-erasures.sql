-- Erasure of a person: one person proposes it, another confirms it, and the ledger then destroys the keys of the person's data
-- and empties its rows. Only the functions below can do that, for a confirmed erasure.
-- Breaks older code: no.

create table erasures (
  id             bigint generated always as identity primary key,
  account_digest bytea not null,             -- as in payout_details
  reason         text not null check (reason <> ''),
  proposed_by    text not null,
  at             timestamptz not null default now(),
  outcome        text check (outcome in ('agreed', 'refused', 'alone')),
  decided_by     text,
  decided_at     timestamptz,
  payouts        integer,                    -- emptied rows
  file_rows      integer,
  completed_at   timestamptz,                -- PAYRUN_KEY was rotated: no backup can be opened once the old key is destroyed
  check ((outcome is null) = (decided_by is null) and (outcome is null) = (decided_at is null)),
  check ((payouts is null) = (file_rows is null)),
  check (completed_at is null or payouts is not null)
);
create unique index erasures_open on erasures (account_digest) where outcome is null;
create trigger kept before delete or truncate on erasures for each statement execute function refuse_change();

create function check_erasure() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.outcome is not null or new.payouts is not null or new.completed_at is not null then
      raise exception 'an erasure is proposed before it is decided'
        using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
    end if;
    return new;
  end if;
  if (new.id, new.account_digest, new.reason, new.proposed_by, new.at)
      is distinct from (old.id, old.account_digest, old.reason, old.proposed_by, old.at)
      or (old.outcome is not null and (new.outcome, new.decided_by, new.decided_at)
        is distinct from (old.outcome, old.decided_by, old.decided_at))
      or (old.outcome is null and new.outcome is null)
      or (old.payouts is not null and (new.payouts, new.file_rows) is distinct from (old.payouts, old.file_rows))
      or (new.payouts is not null and new.outcome not in ('agreed', 'alone'))
      or (old.completed_at is not null and new.completed_at is distinct from old.completed_at) then
    raise exception 'erasure % is decided once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  if old.outcome is null then
    perform check_resolution_decider('erasure ' || old.id, new.outcome, new.decided_by, old.proposed_by);
  end if;
  return new;
end $$;
create trigger decided before insert or update on erasures for each row execute function check_erasure();

-- The confirmed erasure that the current transaction carries out; null: none.
create function current_erasure() returns bigint language sql stable set search_path = pg_catalog, payrun, pg_temp as $$
  select id from erasures
  where id::text = current_setting('payrun.erasure', true)
    and outcome in ('agreed', 'alone') and payouts is null
$$;

create function check_details_change() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
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
drop trigger append_only on payout_details;
create trigger append_only before truncate on payout_details for each statement execute function refuse_change();
create trigger append_only_row before update on payout_details for each row execute function check_details_change();

create function check_corrected_row_change() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if new.sealed <> '\x00'::bytea or (new.batch_id, new.line, new.at) is distinct from (old.batch_id, old.line, old.at)
      or current_erasure() is null then
    raise exception 'the table corrected_rows is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
drop trigger append_only on corrected_rows;
create trigger append_only before delete or truncate on corrected_rows for each statement execute function refuse_change();
create trigger append_only_row before update on corrected_rows for each row execute function check_corrected_row_change();

-- Search terms are only removed, and only for an erasure: those of a person at once, all when the index gets another key.
create function check_terms_change() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if current_setting('payrun.erasure', true) = 'index' and tg_op = 'DELETE'
      and exists (select from erasures where payouts is not null and completed_at is null) then
    return old;
  end if;
  if current_erasure() is null then
    raise exception 'the table payout_terms is append-only' using errcode = 'restrict_violation';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  if new.term <> old.term or not new.ids <@ old.ids then
    raise exception 'the table payout_terms is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
drop trigger append_only on payout_terms;
create trigger append_only before truncate on payout_terms for each statement execute function refuse_change();
create trigger append_only_row before update or delete on payout_terms for each row execute function check_terms_change();

-- Empties the data of a person after the erasure was confirmed. `batches` and `lines` are rows of files.
create function erase_data(erasure bigint, ids bigint[], terms bigint[], batches text[], lines integer[])
returns table (payouts bigint, file_rows bigint) language plpgsql security definer
  set search_path = pg_catalog, payrun, pg_temp as $$
declare
  n bigint;
begin
  perform set_config('payrun.erasure', erasure::text, true);
  update payrun.payout_details set sealed = '\x00', name_key = null, user_key = 0, account_tail = null where payout_id = any(ids);
  get diagnostics payouts = row_count;
  update payrun.payout_terms t set ids = array(select unnest(t.ids) except select unnest(erase_data.ids))
  where t.term = any(terms) and t.ids && erase_data.ids;
  delete from payrun.payout_terms t where t.term = any(terms) and t.ids = '{}';
  file_rows := 0;
  update payrun.rejected_rows r set sealed = '\x00' from unnest(batches, lines) v(batch, line)
  where r.batch_id = v.batch and r.line = v.line;
  get diagnostics n = row_count;
  file_rows := file_rows + n;
  update payrun.warned_rows r set sealed = '\x00' from unnest(batches, lines) v(batch, line)
  where r.batch_id = v.batch and r.line = v.line;
  get diagnostics n = row_count;
  file_rows := file_rows + n;
  update payrun.corrected_rows r set sealed = '\x00' from unnest(batches, lines) v(batch, line)
  where r.batch_id = v.batch and r.line = v.line;
  get diagnostics n = row_count;
  file_rows := file_rows + n;
  update payrun.left_out_rows r set sealed = '\x00' from unnest(batches, lines) v(batch, line)
  where r.batch_id = v.batch and r.line = v.line;
  get diagnostics n = row_count;
  file_rows := file_rows + n;
  perform set_config('payrun.erasure', '', true);
  return next;
end $$;
revoke all on function erase_data(bigint, bigint[], bigint[], text[], integer[]) from public;

-- Removes the search terms of all payouts. They are written again under another key.
create function clear_terms() returns void language plpgsql security definer set search_path = pg_catalog, payrun, pg_temp as $$
begin
  perform set_config('payrun.erasure', 'index', true);
  delete from payrun.payout_terms;
  perform set_config('payrun.erasure', '', true);
end $$;
revoke all on function clear_terms() from public;
