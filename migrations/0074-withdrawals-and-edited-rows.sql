-- Batches can be withdrawn from approval: channels that announce batches awaiting approval announce this too. Valid
-- rows with warnings can be edited before the approval: their payouts are removed and created again. And the
-- stored anomalies of a batch count all flagged rows.
-- Breaks older code: no.

update channels set events = events || '{batch_withdrawn}'::text[]
  where 'batch_awaiting_approval' = any (events) and not 'batch_withdrawn' = any (events);

alter table batch_anomalies add column flagged_rows integer;

-- A payout without transitions was never approved. Everything else about payouts is kept forever.
drop trigger kept on payouts;
create trigger kept before truncate on payouts for each statement execute function refuse_change();
create trigger kept_row before delete on payouts for each row
  when (old.seq > 0 or old.attempts > 0 or old.state <> 'awaiting_approval') execute function refuse_change();

-- The details of a payout stay as long as the payout itself.
create function check_details_removal() returns trigger language plpgsql as $$
begin
  if exists (select from payouts where id = old.payout_id) then
    raise exception 'the table payout_details is append-only' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
drop trigger append_only on payout_details;
create trigger append_only before update or truncate on payout_details for each statement execute function refuse_change();
create trigger kept_row before delete on payout_details for each row execute function check_details_removal();

-- The application's role cannot delete payouts. This function does it with the rights of the owner, and the triggers
-- above refuse every payout that was approved.
create function remove_payouts(ids bigint[]) returns void language plpgsql security definer as $$
begin
  delete from payouts where id = any(ids);
  delete from payout_details where payout_id = any(ids);
end $$;

-- As in migration 0051: a new function has no search path.
do $$
declare
  name regprocedure;
begin
  for name in select oid from pg_proc where pronamespace = current_schema()::regnamespace loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name, current_schema());
  end loop;
end $$;
