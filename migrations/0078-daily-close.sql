-- The daily close: the opening balance of a lane, the closed versions of each business day, what reopened them, and proposals
-- that need two people.
-- Breaks older code: no.

-- Finds the few changes of results of a day.
create index transitions_results on transitions (at) where event in ('return', 'resolve');
create index deposit_transitions_results on deposit_transitions (at) where event in ('complete', 'resolve');

create table opening_balances (
  lane         text primary key,
  day          date not null,               -- first business day that is closed
  zone         text not null,               -- of all business days of the lane
  amount_minor numeric(38, 0) not null,
  minor_digits smallint not null,
  statement_id text references statements,  -- null: a person entered the balance
  reason       text not null check (reason <> '' or statement_id is not null),
  actor        text not null,
  at           timestamptz not null default now()
);
create trigger append_only before update or delete or truncate on opening_balances for each statement execute function refuse_change();

create table day_closes (
  id           bigint generated always as identity primary key,
  lane         text not null references opening_balances,
  day          date not null,
  version      integer not null,
  starts_at    timestamptz not null,
  ends_at      timestamptz not null,        -- excluded
  closing_minor  numeric(38, 0) not null,   -- computed
  observed_minor numeric(38, 0),            -- null: the balance was not observed
  minor_digits smallint not null,           -- of both balances
  document     text not null,               -- canonical JSON: figures, open breaks, and payouts in progress
  digest       text not null check (digest = encode(sha256(convert_to(document, 'UTF8')), 'hex')),
  actor        text not null,
  at           timestamptz not null default now(),
  unique (lane, day, version)
);
create index day_closes_end on day_closes (lane, ends_at);
create trigger append_only before update or delete or truncate on day_closes for each statement execute function refuse_change();

-- Why a version no longer counts. Its next version lists the causes.
create table day_reopenings (
  id       bigint generated always as identity primary key,
  close_id bigint not null references day_closes,
  cause    text not null check (cause in ('settlement', 'return', 'resolution', 'fee', 'deposit', 'break', 'statement', 'adjustment',
    'opening_balance', 'person')),
  object   text not null,                   -- transaction code, statement or number of the break; '' for none
  actor    text not null,
  at       timestamptz not null default now()
);
create index day_reopenings_of on day_reopenings (close_id);
create trigger append_only before update or delete or truncate on day_reopenings for each statement execute function refuse_change();

-- An adjustment explains a difference; it counts in the figures of its day. Two people agree on it, and on a reopening by hand.
create table day_proposals (
  id           bigint generated always as identity primary key,
  lane         text not null references opening_balances,
  day          date not null,
  version      integer not null,            -- newest version of the day when it was proposed; 0: none
  kind         text not null check (kind in ('adjustment', 'reopening')),
  amount_minor numeric(38, 0) check (amount_minor <> 0), -- positive: more money in the account
  minor_digits smallint,
  reason       text not null check (reason <> ''),
  proposed_by  text not null,
  at           timestamptz not null default now(),
  outcome      text check (outcome in ('agreed', 'refused', 'alone', 'replaced')),
  decided_by   text,
  decided_at   timestamptz,
  check ((kind = 'adjustment') = (amount_minor is not null) and (amount_minor is null) = (minor_digits is null)),
  check ((outcome is null) = (decided_by is null) and (outcome is null) = (decided_at is null))
);
create unique index day_proposals_open on day_proposals (lane, day, kind) where outcome is null;
create index day_proposals_of on day_proposals (lane, day);
create trigger kept before delete or truncate on day_proposals for each statement execute function refuse_change();

create function check_day_proposal() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.outcome is not null then
      raise exception 'a change of a day is proposed before it is decided'
        using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
    end if;
    return new;
  end if;
  if old.outcome is not null or new.outcome is null
      or (new.id, new.lane, new.day, new.version, new.kind, new.amount_minor, new.minor_digits, new.reason, new.proposed_by, new.at) is distinct from
        (old.id, old.lane, old.day, old.version, old.kind, old.amount_minor, old.minor_digits, old.reason, old.proposed_by, old.at) then
    raise exception 'proposal % is decided once, and is not edited', old.id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  perform check_resolution_decider('proposal ' || old.id, new.outcome, new.decided_by, old.proposed_by);
  return new;
end $$;
create trigger decided before insert or update on day_proposals for each row execute function check_day_proposal();

-- A day whose figures a close computes. Each change meanwhile adds a row, and the close then computes them again.
create table closing_days (
  id        bigint generated always as identity primary key,
  lane      text not null,
  day       date not null,
  starts_at timestamptz not null,
  ends_at   timestamptz not null            -- excluded
);

-- A close holds this lock while it adds the closing day, and again while it stores the version. Everything that changes the
-- figures of a day shares it. So each change commits before the close reads the figures, or finds the closing or closed day.
create function share_day_lock(of_lane text) returns void language sql
set search_path = pg_catalog, payrun, pg_temp as $$
  select pg_advisory_xact_lock_shared(hashtext('payrun close ' || of_lane))
$$;

-- The closed or closing day that contains a moment, or null. Days end before that, so this reads nothing for now().
create function closed_day(of_lane text, moment timestamptz) returns date language sql stable
set search_path = pg_catalog, payrun, pg_temp as $$
  select coalesce(
    (select day from day_closes where lane = of_lane and ends_at > moment and starts_at <= moment order by ends_at limit 1),
    (select day from closing_days where lane = of_lane and ends_at > moment and starts_at <= moment limit 1))
$$;

-- Reopens the newest version of a day, once. A close that computes the figures of the day learns of the change.
create function reopen_day(of_lane text, of_day date, why text, about text, by text) returns void language sql
set search_path = pg_catalog, payrun, pg_temp as $$
  insert into closing_days (lane, day, starts_at, ends_at)
  select lane, day, starts_at, ends_at from closing_days where lane = of_lane and day = of_day limit 1;
  insert into day_reopenings (close_id, cause, object, actor)
  select c.id, why, about, by
  from (select id from day_closes where lane = of_lane and day = of_day order by version desc limit 1) c
  where not exists (select from day_reopenings where close_id = c.id)
$$;

-- A settled payout, or another fee, reopens the day of settlement. The fee of a payout that never settled counts on the days of
-- its manual resolutions.
create function reopen_days_of_payout() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  perform share_day_lock(new.lane);
  perform reopen_day(new.lane, of_day, case when old.settled_at is distinct from new.settled_at then 'settlement' else 'fee' end,
    (select transaction_code from payout_details where payout_id = new.id), 'payrun')
  from (select distinct closed_day(new.lane, moment) as of_day
    from (select new.settled_at as moment
      union all
      select at from transitions where payout_id = new.id and event = 'resolve' and new.settled_at is null) moments) days
  where of_day is not null;
  return null;
end $$;
create trigger reopens after update on payouts for each row
  when ((new.settled_at is not null or new.state in ('resolved', 'on_hold'))
    and (new.settled_at, new.fee_minor, new.fee_digits, new.unreadable_fee is null)
      is distinct from (old.settled_at, old.fee_minor, old.fee_digits, old.unreadable_fee is null))
  execute function reopen_days_of_payout();

-- A return or a manual resolution reopens the day on which it counts, and the day on which the payout settled.
create function reopen_days_of_result() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
declare
  payout payouts%rowtype;
begin
  select * into payout from payouts where id = new.payout_id;
  perform share_day_lock(payout.lane);
  perform reopen_day(payout.lane, of_day, case new.event when 'return' then 'return' else 'resolution' end,
    (select transaction_code from payout_details where payout_id = payout.id), 'payrun')
  from (select distinct closed_day(payout.lane, moment) as of_day from (values (new.at), (payout.settled_at)) moments (moment)) days
  where of_day is not null;
  return null;
end $$;
create trigger reopens after insert on transitions for each row when (new.event in ('return', 'resolve'))
  execute function reopen_days_of_result();

-- A deposit reopens the day on which its result counts, and the days of its earlier results.
create function reopen_days_of_deposit() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
declare
  deposit deposits%rowtype;
begin
  select * into deposit from deposits where id = (to_jsonb(new) ->> tg_argv[0])::bigint;
  perform share_day_lock(deposit.lane);
  perform reopen_day(deposit.lane, of_day, 'deposit', deposit.transaction_code, 'payrun')
  from (select distinct closed_day(deposit.lane, at) as of_day from deposit_transitions
    where deposit_id = deposit.id and event in ('complete', 'resolve')) days
  where of_day is not null;
  return null;
end $$;
create trigger reopens after insert on deposit_transitions for each row when (new.event in ('complete', 'resolve'))
  execute function reopen_days_of_deposit('deposit_id');
create trigger reopens after update on deposits for each row
  when (old.paid_minor is not null and new.paid_minor is distinct from old.paid_minor)
  execute function reopen_days_of_deposit('id');

create function reopen_day_of_break() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  perform share_day_lock(new.lane);
  perform reopen_day(new.lane, new.day, 'break', new.id::text, 'payrun');
  return null;
end $$;
create trigger found_reopens after insert on breaks for each row execute function reopen_day_of_break();
create trigger changed_reopens after update on breaks for each row when (new.version <> old.version) execute function reopen_day_of_break();

create function reopen_day_of_statement() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  perform share_day_lock(new.lane);
  perform reopen_day(new.lane, new.day, 'statement', new.id, coalesce(new.decided_by, new.actor));
  return null;
end $$;
create trigger loaded_reopens after insert on statements for each row when (new.state = 'current') execute function reopen_day_of_statement();
create trigger confirmed_reopens after update on statements for each row
  when (new.state = 'current' and old.state <> 'current') execute function reopen_day_of_statement();

create function reopen_day_of_proposal() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  perform share_day_lock(new.lane);
  if new.version <> (select coalesce(max(version), 0) from day_closes where lane = new.lane and day = new.day) then
    raise exception 'proposal % is for an earlier version of the day', new.id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  perform reopen_day(new.lane, new.day, case new.kind when 'adjustment' then 'adjustment' else 'person' end, new.id::text, new.decided_by);
  return null;
end $$;
create trigger agreed_reopens after update on day_proposals for each row
  when (old.outcome is null and new.outcome in ('agreed', 'alone')) execute function reopen_day_of_proposal();

-- The break between the computed and the observed closing balance of a day may have no statement.
alter table breaks alter column statement_id drop not null;

-- Channels that receive alarms receive closed and reopened days too.
update channels set events = events || '{day_closed,day_reopened}'::text[]
  where 'alarm_raised' = any (events) and not 'day_closed' = any (events);
