-- Totals of finished days, for reports. A day's results do not change after it ends: a payout settles, is declined or is returned
-- once, at the time of that transaction. The totals could be counted again from payouts and transitions.
-- Breaks older code: no.

create table report_days (
  zone text not null,                       -- time zone of the day
  day  date not null,
  primary key (zone, day)                   -- report_totals has all results of the day
);
create trigger append_only before update or delete or truncate on report_days for each statement execute function refuse_change();

create table report_totals (
  zone         text not null,
  day          date not null,
  lane         text not null,
  currency     text not null,
  minor_digits smallint not null,
  state        text not null check (state in ('settled', 'declined', 'returned')),
  seconds      integer not null,            -- class of the time from approval to settlement: its upper bound. 0: not settled
  payouts      integer not null,
  amount_minor numeric(38, 0) not null,
  primary key (zone, day, lane, currency, minor_digits, state, seconds),
  foreign key (zone, day) references report_days
);
create trigger append_only before update or delete or truncate on report_totals for each statement execute function refuse_change();
