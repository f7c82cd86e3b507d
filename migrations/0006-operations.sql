-- What people on call look at and steer: pauses of lanes, the processes that work, and a pulse of what they do.
-- Breaks older code: yes, in one thing: it does not know of lane_pauses and sends in a lane that a person has paused.
-- End older workers before the first pause.

-- A person's pause is kept apart from the automatic stop in lanes: nothing that opens a lane by itself touches it.
create table lane_pauses (
  lane       text primary key,              -- '*': every lane
  reason     text not null,
  actor      text not null,
  paused_at  timestamptz not null default now(),
  until      timestamptz                    -- null: until a person resumes it
);

-- Each process reports itself. A clean end takes its line away; a line that is not seen any more is a process that died.
create table workers (
  id              text primary key,         -- as in attempts and transitions
  host            text not null,
  pid             integer not null,
  version         text not null,
  works           boolean not null,         -- false: HTTP alone
  started_at      timestamptz not null,
  seen_at         timestamptz not null default now(),
  in_flight       integer not null,         -- requests on the wire
  slots           integer not null,         -- how many there may be
  swept_at        timestamptz,
  gateway_offset_ms double precision        -- the gateway's clock less this one's, by its last answer
);

-- What happened in ten seconds, over all processes. Kept seven days.
create table pulse (
  at      timestamptz primary key,
  counts  bigint[] not null,                -- in the order of PULSE_COUNTS (src/payout/pulse.ts)
  latency bigint[] not null                 -- payout requests by duration, in the order of LATENCY_MS
);

-- The few that people look at first, among the millions that have ended.
create index payouts_in_doubt on payouts (lane, last_sent_at) where state = 'in_doubt';
create index payouts_held on payouts (updated_at) where state = 'held';

-- The audit log by what people look for in it.
create index audit_actor on audit (actor, seq);
create index audit_object on audit (object, seq);
create index audit_action on audit (action, seq);
