-- How a held payout is closed: somebody says what they found out elsewhere, an approver agrees. The ledger itself refuses
-- a closing without that.
-- Breaks older code: no, but it does not know the state `closed`.

create table payout_closings (
  id          bigint generated always as identity primary key,
  payout_id   bigint not null,
  seq         integer not null,             -- of the payout as it was seen: what has moved since is not closed by it
  finding     text not null check (finding in ('arrived', 'not_arrived')),
  words       text not null,                -- by which evidence
  proposed_by text not null,
  at          timestamptz not null,
  outcome     text check (outcome in ('agreed', 'refused', 'replaced', 'alone')),
  decided_by  text,
  decided_at  timestamptz,
  check ((outcome is null) = (decided_by is null) and (outcome is null) = (decided_at is null))
);
create unique index payout_closings_open on payout_closings (payout_id) where outcome is null;
create trigger kept before delete or truncate on payout_closings for each statement execute function refuse_change();

create function check_payout_closing() returns trigger language plpgsql as $$
begin
  if old.outcome is not null or new.outcome is null
      or (new.id, new.payout_id, new.seq, new.finding, new.words, new.proposed_by, new.at)
        is distinct from (old.id, old.payout_id, old.seq, old.finding, old.words, old.proposed_by, old.at) then
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
create trigger decided before update on payout_closings for each row execute function check_payout_closing();

create function check_payout_closed() returns trigger language plpgsql as $$
begin
  if not exists (select from payout_closings where payout_id = new.id and seq = old.seq
      and outcome in ('agreed', 'alone')) then
    raise exception 'payout % is closed by nobody''s word', new.id
      using errcode = 'restrict_violation', constraint = 'payout_closed_by_two';
  end if;
  return new;
end $$;
create trigger closed before update on payouts for each row
  when (new.state = 'closed' and old.state <> 'closed') execute function check_payout_closed();
