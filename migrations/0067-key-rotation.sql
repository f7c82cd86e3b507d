-- An API key can be rotated: a new key replaces it, and the old one expires after an overlap.
-- Breaks older code: no.

alter table api_keys
  add column replaced_by text references api_keys,
  add check (replaced_by <> id);
