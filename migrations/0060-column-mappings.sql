-- The meaning of the columns of a file, as its uploader confirmed it, for the next file with the same header.
-- Breaks older code: no. But older code does not read a batch again in the amount format of its file.

create table column_mappings (
  actor         text not null,
  header_digest text not null,              -- SHA-256 of the names in the header
  mapping       jsonb not null,             -- [[name, column]]; column null: ignored
  used_at       timestamptz not null default now(),
  primary key (actor, header_digest)
);
