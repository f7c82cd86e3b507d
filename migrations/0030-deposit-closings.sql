-- How a deposit is closed that the gateway does not explain: somebody says what they found out elsewhere, an approver
-- agrees. The ledger itself refuses a closing without that.
-- Breaks older code: no, but it does not know the state `closed`.

create table deposit_closings (
  id           bigint generated always as identity primary key,
  deposit_id   bigint not null references deposits,
  seq          integer not null,            -- of the deposit as it was seen: what has moved since is not closed by it
  finding      text not null check (finding in ('came_in', 'nothing')),
  amount_minor numeric(38, 0) check (amount_minor > 0), -- what came in
  words        text not null,               -- by which evidence
  proposed_by  text not null,
  at           timestamptz not null,
  outcome      text check (outcome in ('agreed', 'refused', 'replaced', 'alone')),
  decided_by   text,
  decided_at   timestamptz,
  check ((finding = 'came_in') = (amount_minor is not null)),
  check ((outcome is null) = (decided_by is null) and (outcome is null) = (decided_at is null))
);
create unique index deposit_closings_open on deposit_closings (deposit_id) where outcome is null;
create trigger kept before delete or truncate on deposit_closings for each statement execute function refuse_change();

create function check_closing() returns trigger language plpgsql as $$
begin
  if old.outcome is not null or new.outcome is null
      or (new.id, new.deposit_id, new.seq, new.finding, new.amount_minor, new.words, new.proposed_by, new.at)
        is distinct from
         (old.id, old.deposit_id, old.seq, old.finding, old.amount_minor, old.words, old.proposed_by, old.at) then
    raise exception 'closing % is decided once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'closing_decided_once';
  end if;
  if new.outcome = 'agreed' then
    if new.decided_by not like 'user:%' or stands_behind(substr(new.decided_by, 6), old.proposed_by) then
      raise exception 'closing % is agreed to by another person', old.id
        using errcode = 'restrict_violation', constraint = 'closing_by_another';
    end if;
    if not exists (select from users where 'user:' || id = new.decided_by and disabled_at is null
        and 'approver' = any (roles)) then
      raise exception 'closing % is agreed to by an approver', old.id
        using errcode = 'restrict_violation', constraint = 'closing_by_approver';
    end if;
  end if;
  -- On the command line of a ledger without anybody who could agree.
  if new.outcome = 'alone' and (old.proposed_by not like 'cli:%'
      or exists (select from users where disabled_at is null and 'approver' = any (roles))) then
    raise exception 'closing % has somebody who could agree', old.id
      using errcode = 'restrict_violation', constraint = 'closing_by_another';
  end if;
  return new;
end $$;
create trigger decided before update on deposit_closings for each row execute function check_closing();

create function check_deposit_closed() returns trigger language plpgsql as $$
begin
  if not exists (select from deposit_closings where deposit_id = new.id and seq = old.seq
      and outcome in ('agreed', 'alone')) then
    raise exception 'deposit % is closed by nobody''s word', new.transaction_code
      using errcode = 'restrict_violation', constraint = 'deposit_closed_by_two';
  end if;
  return new;
end $$;
create trigger closed before update on deposits for each row
  when (new.state = 'closed' and old.state <> 'closed') execute function check_deposit_closed();
