-- Messages about people, API keys and second factors, which follow the audit log by its line numbers.
-- Breaks older code: no, but only newer code sends these messages by e-mail.

-- The last line of the audit log for which messages were created. Lines before the upgrade cause none.
create table audit_noticed (
  one boolean primary key default true check (one),
  seq bigint not null
);
insert into audit_noticed (seq) select coalesce(max(seq), 0) from audit;

-- The user's own e-mail address, for messages to that user alone; null: a channel that an admin created.
alter table channels add column user_id text unique references users;
