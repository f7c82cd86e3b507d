-- When something of a lane last came to its end.
-- Breaks older code: no. But older code does not write it: end it before the brake of accepted payouts that do not end is
-- relied on.

-- An accepted payout of the lane settled or was declined, or a person opened the lane: kept every ten seconds or so.
create table lane_endings (
  lane      text primary key,
  ended_at  timestamptz not null default now()
);
