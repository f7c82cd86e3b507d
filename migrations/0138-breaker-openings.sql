-- When each circuit breaker of a lane last opened. A lane keeps only its present stop, so that a stop was forgotten once it ended.
-- Breaks older code: no.

create table breaker_openings (
  lane      text not null,
  breaker   text not null,
  opened_at timestamptz not null,
  primary key (lane, breaker)
);
