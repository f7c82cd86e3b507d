-- Schedules can be edited. An occurrence keeps the time zone that it was planned with.
-- Breaks older code: yes, it plans occurrences without a zone, and may create a batch from settings that were
-- just edited. Stop older processes first.

alter table schedules
  add column version integer not null default 1,            -- counts every change by a person
  add column editors text[] not null default '{}';          -- cannot approve the batches, like the maker

alter table occurrences add column zone text;
update occurrences o set zone = s.calendar ->> 'zone' from schedules s where s.id = o.schedule_id;
alter table occurrences alter column zone set not null;
