-- Which brake stopped a lane, where it is not told by how the lane opens.
-- Breaks older code: no. But older code does not look at the ceiling of money in doubt: end it before that is relied on.

alter table lanes add column brake text;    -- null: an answer of the gateway (src/payout/brakes.ts)
