-- The amount formats between which somebody must choose for the file of a watched folder. The choice is a setting of the
-- schedule: its source may name a format.
-- Breaks older code: no, but it drops the setting when it edits a schedule. Stop older processes first.

alter table occurrences add column amounts jsonb;  -- of a failed occurrence whose file is still in the folder
