-- Since when the gateway has given no readable answer about a payout.
-- Breaks older code: no. But older code neither notes nor ends a silence: until it is ended, an alarm may come late or stay a
-- few questions too long.

-- Set by the first question that came back without a readable answer; null again with the next readable one, and with every
-- change of state.
alter table payouts add column silent_since timestamptz;

-- The few that people are told of, among the many that are asked for.
create index payouts_silent on payouts (lane, silent_since) where state = 'accepted' and silent_since is not null;
