-- How fast a lane is sent: what a person has set, and what the gateway's answers have taught.
-- Breaks older code: yes, in one thing: it does not know of lane_pace and sends past a limit. End older workers before the
-- first limit is set.

-- A lane that stands here is claimed in turn: whoever claims locks its row until the claim is committed, so that all
-- processes together keep what is written. A lane without a row is not held back by anything, and costs nothing.
-- Times are milliseconds of this database's clock, with fractions: a timestamp handed to and fro would lose them, and
-- with every claim a part of a turn.
create table lane_pace (
  lane           text primary key,
  rate           double precision check (rate > 0),       -- payouts a second; null: no limit
  concurrency    integer check (concurrency > 0),         -- requests at once; null: no limit
  set_by         text,
  set_at         timestamptz,
  used_until_ms  double precision not null default 0,     -- turns up to here are taken
  -- The gateway asked to be left alone, or the lane was stopped: it begins again with a few. Null: at full speed.
  slow_rate      double precision check (slow_rate > 0),
  slow_aim       double precision check (slow_aim > 0),   -- half of what was too much: doubled up to here, raised step by step from here
  slow_sent      integer not null default 0,              -- since the last step
  slow_since_ms  double precision not null default 0
);

-- What is on the wire of a lane, over all batches.
create index payouts_submitting on payouts (lane, id) where state = 'submitting';
