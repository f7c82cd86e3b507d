-- The rows of a schedule may come from a file that arrives in a folder.
-- Breaks older code: yes, in one thing: it looks for the list of such a schedule, finds none, and calls its times failed. A
-- person makes them all the same afterwards.

alter table occurrences
  add column look_at timestamptz,           -- when the folder is looked into again
  add column seen jsonb,                    -- the files that lay there then, by what makes a file the same one
  add column seen_at timestamptz;           -- since when it has been just these

-- A file is for one schedule.
create unique index schedules_folder on schedules ((source ->> 'folder')) where state <> 'removed';
