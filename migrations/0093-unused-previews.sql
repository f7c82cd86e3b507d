-- Previews of actions on many payouts that nobody applied can be deleted once they have expired. They changed nothing, and are not
-- on the audit log. A preview has up to 100,000 rows.
-- Breaks older code: no.

create function check_unused_preview() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if old.state <> 'previewed' or old.expires_at > now() - interval '1 hour' then
    raise exception 'the table % is append-only', tg_table_name using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
drop trigger kept on payout_actions;
create trigger kept before truncate on payout_actions for each statement execute function refuse_change();
create trigger unused before delete on payout_actions for each row execute function check_unused_preview();

-- The row of the action is deleted first, so its payouts belong to no action. Anything else keeps its payouts.
create function check_rows_of_preview() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if exists (select from payout_actions where id in (select action_id from deleted_rows)) then
    raise exception 'the table payout_action_rows is append-only' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
drop trigger append_only on payout_action_rows;
create trigger append_only before update or truncate on payout_action_rows for each statement execute function refuse_change();
create trigger unused after delete on payout_action_rows referencing old table as deleted_rows
  for each statement execute function check_rows_of_preview();

create index payout_actions_previewed on payout_actions (expires_at) where state = 'previewed';
