-- The functions of the ledger read the tables of the ledger, whatever search_path a session sets and whatever temporary
-- tables it makes: a temporary table named live_approvals would otherwise count as the approvals of a batch.
-- Breaks older code: no.
do $$
declare
  name regprocedure;
begin
  for name in select oid from pg_proc where pronamespace = current_schema()::regnamespace loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name, current_schema());
  end loop;
end $$;
