-- Retention rules: how long data is kept that no promise of payrun needs. Without a rule, it is kept for ever. The application's role
-- deletes it only through delete_expired, which reads the rule itself. Codes, results, approvals and the audit log have no rule.
-- Breaks older code: no.

create table retention_rules (
  kind text primary key,
  days integer not null,
  check (case kind
    when 'payout_details' then days between 1 and 36500    -- kept at least; a person is not erased earlier
    when 'rejected_rows' then days between 30 and 36500
    when 'deliveries' then days between 30 and 36500
    when 'notifications' then days between 30 and 36500
    when 'sessions' then days between 30 and 36500
    else false end)
);

-- While there is a legal hold, no rule deletes data, and payrun erases no person.
create table retention_hold (
  one    boolean primary key default true check (one),
  reason text not null check (reason <> '')
);

-- Data of this kind that last changed before this time is deleted; null: it is kept. Rows of a batch are kept for as long as its payouts.
create function retention_before(kind text) returns timestamptz
  language sql stable set search_path = pg_catalog, payrun, pg_temp as $$
  select now() - make_interval(days => greatest(r.days,
    case when $1 = 'rejected_rows' then (select m.days from retention_rules m where m.kind = 'payout_details') end))
  from retention_rules r
  where r.kind = $1 and $1 <> 'payout_details' and not exists (select from retention_hold)
$$;

-- Deletes up to so many rows whose time has passed, or counts them. Of a batch, archive_obstacle says whether anything about it is open.
create function delete_expired(kind text, rows_max integer, only_count boolean) returns bigint language plpgsql security definer
  set search_path = pg_catalog, payrun, pg_temp as $$
declare
  before timestamptz := payrun.retention_before(kind);
  target text;
  total bigint := 0;
  done bigint;
  batch text;
begin
  if before is null then return 0; end if;
  if kind = 'rejected_rows' then
    for batch in
      select b.id from payrun.batches b
      where coalesce(b.finished_at, b.updated_at) < before
        and b.state in ('finished', 'finished_with_exceptions', 'cancelled')
        and (exists (select from payrun.rejected_rows where batch_id = b.id)
          or exists (select from payrun.warned_rows where batch_id = b.id)
          or exists (select from payrun.row_findings where batch_id = b.id))
      order by b.id
    loop
      exit when total >= rows_max;
      continue when payrun.archive_obstacle(batch, before) is not null;
      foreach target in array array['rejected_rows', 'warned_rows', 'row_findings'] loop
        if only_count then
          execute format('select count(*) from payrun.%I where batch_id = $1', target) into done using batch;
        else
          execute format('delete from payrun.%I where ctid = any(array(select ctid from payrun.%I where batch_id = $1 limit $2))',
            target, target) using batch, greatest(rows_max - total, 0);
          get diagnostics done = row_count;
        end if;
        total := total + done;
      end loop;
    end loop;
    return total;
  end if;
  target := case kind
    when 'deliveries' then 'deliveries x where x.state <> ''waiting'' and x.updated_at < $1'
    when 'notifications' then 'inbox x where x.read_at < $1'
    when 'sessions' then 'sessions x where coalesce(x.ended_at, x.expires_at) < $1
      and not exists (select from payrun.approvals a where a.session_id = x.id)
      and exists (select from payrun.sessions n where n.user_id = x.user_id and (n.created_at, n.id) > (x.created_at, x.id))'
  end;
  if only_count then
    execute format('select count(*) from payrun.%s', target) into total using before;
  else
    execute format('delete from payrun.%s where ctid = any(array(select x.ctid from payrun.%s limit $2))',
      split_part(target, ' ', 1), target) using before, rows_max;
    get diagnostics total = row_count;
  end if;
  return total;
end $$;

revoke all on function delete_expired(text, integer, boolean) from public;
