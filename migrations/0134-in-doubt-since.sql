-- The time since which the outcome of a payout has been unknown. Sending the payout again does not change it. Null: the outcome is
-- known, or a process of an older version moved the payout; then the time of the last request counts.
-- Breaks older code: no.

alter table payouts add column in_doubt_since timestamptz;
