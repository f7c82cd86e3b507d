-- The currency of all rows that the uploader confirmed for a file without a currency column, for the next file with the same header.
-- Breaks older code: no.

alter table column_mappings add column currency text;
