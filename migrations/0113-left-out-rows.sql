-- Rows that the uploader left out of a batch, such as the row with the total, kept as they were for the approver. They can
-- be put back until the batch is sent for approval.
-- Breaks older code: no. But older code that verifies the ledger reports batches from which rows were left out, so do not leave rows out
-- while processes of an older version run.

create table left_out_rows (
  batch_id text not null references batches,
  line     integer not null,
  sealed   bytea not null,                    -- as in rejected_rows: its cells and problems
  actor    text not null,
  at       timestamptz not null,
  primary key (batch_id, line)
);
create trigger no_change before truncate on left_out_rows for each statement execute function refuse_change();

-- Only the erasure of a person empties a row.
create function check_left_out_change() returns trigger language plpgsql as $$
begin
  if new.sealed <> '\x00'::bytea or current_erasure() is null
      or (new.batch_id, new.line, new.actor, new.at) is distinct from (old.batch_id, old.line, old.actor, old.at) then
    raise exception 'the table left_out_rows is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger no_change_row before update on left_out_rows for each row execute function check_left_out_change();

-- A row leaves this table only by returning to its batch, before the batch is sent for approval. A batch from the command line
-- awaits approval from its upload.
create function check_left_out_removal() returns trigger language plpgsql as $$
begin
  if not exists (select from batches where id = old.batch_id and (state in ('needs_correction', 'draft')
      or state = 'awaiting_approval' and approval_requested_at is null)) then
    raise exception 'line % stays left out of batch %', old.line, old.batch_id using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger kept_row before delete on left_out_rows for each row execute function check_left_out_removal();

-- As in migration 0051: a new function has no search path.
do $$
declare
  name regprocedure;
begin
  for name in select oid from pg_proc where pronamespace = current_schema()::regnamespace and proname in ('check_left_out_change', 'check_left_out_removal') loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name, current_schema());
  end loop;
end $$;
