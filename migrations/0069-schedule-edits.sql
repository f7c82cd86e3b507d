-- Schedules can be edited.
-- Breaks older code: yes, in one thing: it neither compares the version nor counts the editors.
-- It may create a batch from settings that were just edited. Stop older processes before the first
-- edit.

alter table schedules
  add column version integer not null default 1,            -- counts every change by a person
  add column editors text[] not null default '{}';          -- cannot approve the batches, like the maker
