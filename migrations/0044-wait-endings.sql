-- Two people end the wait before a payout in doubt is sent again: one proposes it, an approver confirms it. The ledger itself
-- refuses a confirmation by the same person.
-- Breaks older code: no. But older code does not look at it, and waits.

create table wait_endings (
  id          bigint generated always as identity primary key,
  payout_id   bigint not null,
  seq         integer not null,             -- of this doubt: the wait of a later one is not ended by it
  words       text not null,                -- why no earlier request can be in progress
  proposed_by text not null,
  at          timestamptz not null,
  outcome     text check (outcome in ('agreed', 'refused', 'replaced')),
  decided_by  text,
  decided_at  timestamptz,
  check ((outcome is null) = (decided_by is null) and (outcome is null) = (decided_at is null))
);
create unique index wait_endings_open on wait_endings (payout_id) where outcome is null;
create index wait_endings_agreed on wait_endings (payout_id, seq) where outcome = 'agreed';
create trigger kept before delete or truncate on wait_endings for each statement execute function refuse_change();

create function check_wait_ending() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.outcome is not null then
      raise exception 'the end of a wait is proposed before it is decided'
        using errcode = 'restrict_violation', constraint = 'closing_decided_once';
    end if;
    return new;
  end if;
  if old.outcome is not null or new.outcome is null
      or (new.id, new.payout_id, new.seq, new.words, new.proposed_by, new.at)
        is distinct from (old.id, old.payout_id, old.seq, old.words, old.proposed_by, old.at) then
    raise exception 'the end of wait % is decided once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'closing_decided_once';
  end if;
  if new.outcome = 'agreed' then
    if new.decided_by not like 'user:%' or stands_behind(substr(new.decided_by, 6), old.proposed_by) then
      raise exception 'the end of wait % is confirmed by another person', old.id
        using errcode = 'restrict_violation', constraint = 'closing_by_another';
    end if;
    if not exists (select from users where 'user:' || id = new.decided_by and disabled_at is null
        and 'approver' = any (roles)) then
      raise exception 'the end of wait % is confirmed by an approver', old.id
        using errcode = 'restrict_violation', constraint = 'closing_by_approver';
    end if;
  end if;
  return new;
end $$;
create trigger decided before insert or update on wait_endings for each row execute function check_wait_ending();
