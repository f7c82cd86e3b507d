-- When a payout in doubt may be sent again: counted from the end of the last attempt that the gateway may still process.
-- Breaks older code: no. But older code neither notes nor keeps the wait: it sends again after seconds until it has ended.

alter table payouts
  -- When the last attempt ended without a conclusive answer; null: no attempt can be in progress.
  add column unanswered_at timestamptz,
  -- Since when the answers counted in heard_times say the same.
  add column heard_since timestamptz,
  -- When the last of them came.
  add column heard_at timestamptz;

-- What is in doubt now waits from now.
update payouts set unanswered_at = now() where state = 'in_doubt';

-- The longest time that the gateway took for a payout request, per lane and hour.
create table lane_processing (
  lane       text not null,
  hour       timestamptz not null,
  longest_ms integer not null,
  primary key (lane, hour)
);
