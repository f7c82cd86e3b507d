-- Number and amount of the results of each day and lane, for the home page: without this table it would read every
-- payout of two months. Written in the statement that writes the result.
-- Breaks older code: no, but it does not count results. Stop older processes first.

create table daily_results (
  day          date not null,               -- UTC
  lane         text not null,
  currency     text not null,
  minor_digits smallint not null,
  state        text not null check (state in ('settled', 'declined')), -- the first result of a payout; later moves do not change it
  seconds      integer not null,            -- class of the time since the first submission: its upper bound. 0: unknown
  writer       integer not null,            -- process of PostgreSQL, so that writers do not wait for each other. 0: merged
  payouts      integer not null,
  amount_minor numeric(38, 0) not null,
  primary key (day, lane, currency, minor_digits, state, seconds, writer)
) with (fillfactor = 70);

-- The last two months. The class of a time is as in src/ledger/payout/lane/daily-results.ts.
insert into daily_results
  select (t.at at time zone 'UTC')::date, p.lane, p.currency, p.minor_digits, t.to_state,
    coalesce((array[1, 2, 3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180, 300, 480, 720, 1200, 1800, 2700, 3600, 7200, 14400, 28800,
      57600, 86400, 172800, 604800, 2147483647])[width_bucket(greatest(extract(epoch from t.at - p.first_sent_at), 0)::float8,
      array[1, 2, 3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180, 300, 480, 720, 1200, 1800, 2700, 3600, 7200, 14400, 28800,
        57600, 86400, 172800, 604800]::float8[]) + 1], 0),
    0, count(*), sum(p.amount_minor)
  from transitions t join payouts p on p.id = t.payout_id
  where t.to_state in ('settled', 'declined') and t.at > now() - interval '62 days'
  group by 1, 2, 3, 4, 5, 6;
