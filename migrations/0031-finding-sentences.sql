-- A sentence about one currency is a finding of its own, for it is not true of the rows of another.
-- Breaks older code: no. But older code counts the findings of a file wrong when it takes corrections of one that newer
-- code has read: end it before rows are corrected.

alter table batch_findings
  add column sentence text not null default ''; -- '': the same for every row, or of a file that was read before
