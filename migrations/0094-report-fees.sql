-- Totals of the reported fees of finished days, for reports. The gateway may change a fee later: such a change is noted, and the days
-- with changes are counted from the payouts until their totals are stored again.
-- Breaks older code: no.

create table report_fee_days (
  zone      text not null,                  -- time zone of the day
  day       date not null,
  starts_at timestamptz not null,
  ends_at   timestamptz not null,           -- excluded
  primary key (zone, day)                   -- report_fees has all payouts that settled on the day
);
create index report_fee_days_ends on report_fee_days (ends_at);
create trigger append_only before update or delete or truncate on report_fee_days for each statement execute function refuse_change();

create table report_fees (
  zone       text not null,
  day        date not null,
  lane       text not null,
  currency   text not null,
  fee_digits smallint not null,             -- -1: payouts without a reported fee
  payouts    integer not null,
  fee_minor  numeric(38, 0),
  primary key (zone, day, lane, currency, fee_digits),
  foreign key (zone, day) references report_fee_days,
  check ((fee_digits = -1) = (fee_minor is null))
);

-- A fee that changed after its payout settled.
create table changed_fees (
  id         bigint generated always as identity primary key,
  settled_at timestamptz not null
);
create index changed_fees_settled on changed_fees (settled_at);

-- A process that stores totals holds this lock alone, so that each change either is counted or is noted afterwards.
create function note_changed_fee() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('payrun report fees'));
  insert into changed_fees (settled_at) values (old.settled_at);
  return null;
end $$;
create trigger changed_fee after update on payouts for each row
  when (old.settled_at is not null and (new.fee_minor, new.fee_digits) is distinct from (old.fee_minor, old.fee_digits))
  execute function note_changed_fee();

-- As in migration 0051: a new function has no search path.
do $$
declare
  name regprocedure;
begin
  for name in select oid from pg_proc where pronamespace = current_schema()::regnamespace loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', name, current_schema());
  end loop;
end $$;
