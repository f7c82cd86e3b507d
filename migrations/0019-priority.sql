-- Which batch goes first where not all can be sent at once.
-- Breaks older code: no.

alter table batches add column priority text not null default 'normal' check (priority in ('urgent', 'normal', 'low'));

-- How many turns a batch has had in a lane with a limit, so that batches of one priority get as many. Null: it has never
-- come for one; it begins where the one stands that has had the fewest.
alter table batch_lanes add column turns bigint;
