-- A statement whose balances come from its file lists each deposit as a line, so it has no separate sum of deposits.
-- A version of a day is reopened once in the event feed, although two transactions can both reopen it.
-- Breaks older code: yes. It ignores the balances of such statements. Stop older processes first.

alter table statements drop constraint statements_check;
alter table statements add constraint statements_check
  check ((opening_minor is null) = (closing_minor is null) and (opening_minor is not null or deposits_minor is null));
comment on column statements.deposits_minor is 'null with balances: each deposit is a line of the file';

create index events_of_reopened_days on events (seq) where type = 'day_reopened';
