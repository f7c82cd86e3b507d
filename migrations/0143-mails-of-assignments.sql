-- A user may turn off the e-mails about what is assigned to them.
-- Breaks older code: no. It sends no e-mail about assignments.

alter table users add column mails_assignments boolean not null default true;
