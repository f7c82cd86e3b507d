-- A comment on a break notifies the users that it mentions.
-- Breaks older code: no. Its comments mention nobody.

alter table break_events add column mentions text[]; -- users; null: not a comment
create index break_events_commented on break_events (at) where event = 'commented'; -- each round of notifications reads the latest
