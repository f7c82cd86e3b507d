-- Lists of batches, what waits for people, and what notices are made of are found among all batches and times there ever were
-- without reading them all: the frame of every page asks for it, and the notifier every five seconds.
-- Breaks older code: no.

-- To the millisecond, as the places between two pages have it.
create index batches_in_order on batches (date_trunc('milliseconds', created_at at time zone 'UTC'), id);
create index batches_before_approval on batches (created_at) where state in ('needs_correction', 'awaiting_approval');
create index batches_updated on batches (updated_at);
create index occurrences_without_batch on occurrences (updated_at) where state in ('missed', 'failed');
