-- Retries with new details: why declined payouts are retried unchanged, and which rows of a retry batch were edited.
-- Breaks older code: no.

alter table retry_batches add column unchanged_reason text;
alter table descendants add column edited boolean not null default false;
