-- Statements of the gateway's back office, the mappings that read them, and the breaks between a statement and the ledger.
-- Breaks older code: no. The index on transitions reads that table once, and no payout moves meanwhile.

create table statement_mappings (
  merchant_code text not null,
  currency      text not null,
  version       integer not null,
  columns       jsonb not null,             -- field: name of the column
  words         jsonb not null,             -- word for a result: result
  amount_style  text not null,
  payout_sign   text not null check (payout_sign in ('none', 'positive', 'negative')), -- of the amounts of payouts
  zone          text not null,              -- of the business day, and of times without a zone
  actor         text not null check (actor like 'user:%' or actor like 'cli:%'), -- people only
  at            timestamptz not null default now(),
  primary key (merchant_code, currency, version)
);
create trigger append_only before update or delete or truncate on statement_mappings for each statement execute function refuse_change();

-- A file that replaces a compared statement could hide its breaks, so an approver must confirm it.
create table statements (
  id              text primary key,
  lane            text not null,
  day             date not null,            -- business day in the zone of the mapping
  starts_at       timestamptz not null,
  ends_at         timestamptz not null,     -- excluded
  digest          text not null,
  file_name       text not null,
  mapping_version integer not null,
  zone            text not null,
  lines           integer not null,
  opening_minor   numeric(38, 0),           -- balances: null if not given
  closing_minor   numeric(38, 0),
  deposits_minor  numeric(38, 0),
  minor_digits    smallint not null,
  actor           text not null,
  at              timestamptz not null default now(),
  state           text not null check (state in ('proposed', 'current', 'replaced', 'refused')),
  decided_by      text,                     -- who confirmed or refused the replacement
  decided_at      timestamptz,
  compared_at     timestamptz,
  payouts         integer,                  -- compared payouts of the ledger
  matched         integer,                  -- payouts that the statement contains
  check ((opening_minor is null) = (closing_minor is null) and (opening_minor is null) = (deposits_minor is null))
);
create unique index statements_current on statements (lane, day) where state = 'current';
create unique index statements_proposed on statements (lane, day) where state = 'proposed';
create trigger kept before delete or truncate on statements for each statement execute function refuse_change();

create function check_statement() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
declare
  was text;
begin
  if tg_op = 'INSERT' then
    if new.state not in ('proposed', 'current') or new.decided_by is not null or new.compared_at is not null then
      raise exception 'statement % is new', new.id using errcode = 'restrict_violation', constraint = 'statement_kept';
    end if;
    if new.state = 'current' and exists (select from statements
        where lane = new.lane and day = new.day and compared_at is not null) then
      perform check_resolution_decider('the replacement of a statement', 'alone', new.actor, new.actor);
    end if;
    return new;
  end if;
  was := old.state || ' ' || new.state;
  if (new.id, new.lane, new.day, new.starts_at, new.ends_at, new.digest, new.file_name, new.mapping_version, new.zone, new.lines,
        new.opening_minor, new.closing_minor, new.deposits_minor, new.minor_digits, new.actor, new.at)
      is distinct from (old.id, old.lane, old.day, old.starts_at, old.ends_at, old.digest, old.file_name, old.mapping_version, old.zone, old.lines,
        old.opening_minor, old.closing_minor, old.deposits_minor, old.minor_digits, old.actor, old.at)
      or (old.state <> new.state and was not in ('current replaced', 'proposed current', 'proposed refused'))
      or ((old.decided_by, old.decided_at) is distinct from (new.decided_by, new.decided_at) and old.state <> 'proposed') then
    raise exception 'statement % is not edited', old.id using errcode = 'restrict_violation', constraint = 'statement_kept';
  end if;
  if was = 'proposed current' then
    perform check_resolution_decider('statement ' || old.id, 'agreed', new.decided_by, old.actor);
  end if;
  return new;
end $$;
create trigger checked before insert or update on statements for each row execute function check_statement();

-- The codes are in byte order, in which the reconciliation merges them with the ledger.
create table statement_lines (
  statement_id   text not null,             -- no foreign key: its check would cost as much as the insert
  line           integer not null,
  code           text collate "C" not null, -- '#' and the gateway number for a line without a code
  gateway_number text,
  currency       text not null,
  amount_minor   numeric(38, 0) not null check (amount_minor >= 0),
  minor_digits   smallint not null,
  fee_minor      numeric(38, 0),
  fee_digits     smallint,
  status         text not null check (status in ('completed', 'failed', 'pending', 'returned')),
  at             timestamptz,
  check ((fee_minor is null) = (fee_digits is null))
);
create index statement_lines_code on statement_lines (code, statement_id);
create index statement_lines_of on statement_lines using brin (statement_id); -- the lines of a statement are next to each other
create trigger append_only before update or delete or truncate on statement_lines for each statement execute function refuse_change();

-- The lines are stored before their statement, and never afterwards.
create function check_statement_lines() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if exists (select from statements where id in (select statement_id from added)) then
    raise exception 'a statement gets no further lines' using errcode = 'restrict_violation', constraint = 'statement_kept';
  end if;
  return null;
end $$;
create trigger complete after insert on statement_lines referencing new table as added
  for each statement execute function check_statement_lines();

-- Finds the payouts that were settled on a day. The table is in the order of time, so this index takes almost no space.
create index transitions_at on transitions using brin (at);

create table breaks (
  id             bigint generated always as identity primary key,
  lane           text not null,
  day            date not null,
  class          text not null check (class in ('missing_at_gateway', 'missing_in_ledger', 'listed_twice', 'amount', 'currency',
    'gateway_number', 'fee', 'status', 'late_return', 'unexplained_movement')),
  code           text not null,             -- transaction code; '' for the balance
  payout_id      bigint,
  statement_id   text not null references statements,
  lines          integer[] not null,        -- the first lines of the statement that show it
  ledger_shows   text,
  statement_shows text,
  basis          text not null,             -- amounts, currencies and gateway numbers of both sides
  state          text not null default 'open' check (state in ('open', 'proposed', 'resolved', 'closed')),
  version        integer not null default 1, -- counts the changes of the values; a proposal is for one version
  assignee       text,                      -- user:ID
  found_at       timestamptz not null default now(),
  comparison     text not null,             -- the last comparison that found it
  unique (lane, day, class, code)
);
create index breaks_unresolved on breaks (lane, day, id) where state in ('open', 'proposed');
create index breaks_of_payout on breaks (payout_id) where payout_id is not null;
create trigger kept before delete or truncate on breaks for each statement execute function refuse_change();

create table break_events (
  id       bigint generated always as identity primary key,
  break_id bigint not null references breaks,
  event    text not null check (event in ('found', 'changed', 'closed', 'found_again', 'assigned', 'commented', 'proposed', 'refused',
    'resolved')),
  actor    text not null,
  text     text not null,
  at       timestamptz not null default now()
);
create index break_events_of on break_events (break_id, id);
create trigger append_only before update or delete or truncate on break_events for each statement execute function refuse_change();

-- One person proposes the resolution of a break, an approver confirms it. The row keeps the values that they saw.
create table break_resolutions (
  id          bigint generated always as identity primary key,
  break_id    bigint not null references breaks,
  version     integer not null,
  explanation text not null check (explanation <> ''),
  ledger_shows    text,
  statement_shows text,
  basis       text not null default '',
  proposed_by text not null,
  at          timestamptz not null,
  outcome     text check (outcome in ('agreed', 'refused', 'alone', 'replaced')),
  decided_by  text,
  decided_at  timestamptz,
  check ((outcome is null) = (decided_by is null) and (outcome is null) = (decided_at is null))
);
create unique index break_resolutions_open on break_resolutions (break_id) where outcome is null;
create trigger kept before delete or truncate on break_resolutions for each statement execute function refuse_change();

create function check_break_resolution() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    select b.ledger_shows, b.statement_shows, b.basis into new.ledger_shows, new.statement_shows, new.basis
    from breaks b where b.id = new.break_id and b.version = new.version;
    if not found or new.outcome is not null then
      raise exception 'the resolution of a break is proposed for its values before it is decided'
        using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
    end if;
    return new;
  end if;
  if old.outcome is not null or new.outcome is null
      or (new.id, new.break_id, new.version, new.explanation, new.ledger_shows, new.statement_shows, new.basis, new.proposed_by, new.at)
        is distinct from
        (old.id, old.break_id, old.version, old.explanation, old.ledger_shows, old.statement_shows, old.basis, old.proposed_by, old.at) then
    raise exception 'the resolution of break % is decided once, and is not edited', old.break_id
      using errcode = 'restrict_violation', constraint = 'resolution_decided_once';
  end if;
  perform check_resolution_decider('break ' || old.break_id, new.outcome, new.decided_by, old.proposed_by);
  return new;
end $$;
create trigger decided before insert or update on break_resolutions for each row execute function check_break_resolution();

-- Each change of the values is a new version, which is open.
create function check_break() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'open' or new.version <> 1 then
      raise exception 'a new break is open' using errcode = 'restrict_violation', constraint = 'break_kept';
    end if;
    return new;
  end if;
  if (new.id, new.lane, new.day, new.class, new.code, new.found_at)
        is distinct from (old.id, old.lane, old.day, old.class, old.code, old.found_at)
      or (new.version <> old.version and (new.version <> old.version + 1 or new.state <> 'open'))
      or (new.version = old.version and (
        (new.payout_id, new.ledger_shows, new.statement_shows, new.basis)
          is distinct from (old.payout_id, old.ledger_shows, old.statement_shows, old.basis)
        or (new.state <> old.state and old.state in ('resolved', 'closed')))) then
    raise exception 'the values of break % are not edited', old.id using errcode = 'restrict_violation', constraint = 'break_kept';
  end if;
  if new.state = 'resolved' and old.state <> 'resolved' and not exists (select from break_resolutions
      where break_id = new.id and version = new.version and outcome in ('agreed', 'alone')) then
    raise exception 'break % is resolved without a confirmed resolution', new.id
      using errcode = 'restrict_violation', constraint = 'break_resolved_by_two';
  end if;
  return new;
end $$;
create trigger checked before insert or update on breaks for each row execute function check_break();
