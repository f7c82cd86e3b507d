-- The state `draft` of a batch: validated, but not sent for approval. Before, such a batch was `awaiting_approval` without
-- approval_requested_at. A batch from the command line counts as sent, so it is never a draft.
-- Breaks older code: yes, it does not know the new state. Stop older processes first.

drop trigger lifecycle on batches;
drop trigger born on batches;
drop index batches_before_approval;

-- As in migration 0039, with the new state.
create or replace function check_batch() returns trigger language plpgsql as $$
declare
  given integer;
  needed integer;
begin
  if new.maker <> old.maker then
    raise exception 'the maker of a batch stays' using errcode = 'restrict_violation';
  end if;
  if new.people_needed < old.people_needed then
    raise exception 'the number of people that a batch needs only rises'
      using errcode = 'restrict_violation', constraint = 'people_needed_only_rises';
  end if;
  if old.state not in ('needs_correction', 'draft', 'awaiting_approval')
      and (new.content_digest <> old.content_digest or new.limit_people < old.limit_people
        or (old.cancelling and not new.cancelling)) then
    raise exception 'an approved batch stays as it was approved'
      using errcode = 'restrict_violation', constraint = 'approved_batch_stays';
  end if;
  if new.state = 'approved' and old.state = 'awaiting_approval' then
    select count(*) into given from live_approvals
      where batch_id = new.id and content_digest = new.content_digest;
    needed := greatest(new.people_needed - 1, 1) + new.limit_people;
    if given < needed and not (new.people_needed + new.limit_people = 1 and exists (
        select from sole_approvals where batch_id = new.id and content_digest = new.content_digest)) then
      raise exception 'batch % has % of % approvals', new.id, given, needed
        using errcode = 'restrict_violation', constraint = 'batch_has_its_approvals';
    end if;
  end if;
  return new;
end $$;

update batches set state = 'draft'
  where state = 'awaiting_approval' and approval_requested_at is null and maker like any (array['user:%', 'key:%']);

create index batches_before_approval on batches (created_at)
  where state in ('needs_correction', 'draft', 'awaiting_approval');

-- test/ledger/store/lifecycle-rules.test.ts compares this list with the code.
create trigger lifecycle before update on batches for each row
  when (old.state <> new.state and old.state || ' ' || new.state <> all (array[
    'needs_correction draft', 'needs_correction cancelled',
    'draft needs_correction', 'draft awaiting_approval', 'draft cancelled',
    'awaiting_approval needs_correction', 'awaiting_approval draft', 'awaiting_approval approved',
    'awaiting_approval cancelled',
    'approved paused', 'approved finished', 'approved cancelled', 'approved finished_with_exceptions',
    'paused approved', 'paused finished', 'paused cancelled', 'paused finished_with_exceptions',
    'finished finished_with_exceptions']))
  execute function refuse_move();
create trigger born before insert on batches for each row
  when (new.state not in ('needs_correction', 'draft', 'awaiting_approval') or new.limit_people <> 0)
  execute function refuse_birth();

-- As in migration 0051: `create or replace` drops the search path.
do $$
declare
  name regprocedure;
begin
  for name in select oid from pg_proc where pronamespace = current_schema()::regnamespace loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name, current_schema());
  end loop;
end $$;
