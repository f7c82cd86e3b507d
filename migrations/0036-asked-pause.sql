-- Until when the gateway asked for a lane to leave it alone (HTTP 429). What stops the lane meanwhile makes it no shorter.
-- Breaks older code: no. But older code neither notes nor keeps it: until it has ended, such a pause may be cut short.

-- A person who opens the lane takes it away.
alter table lanes add column asked_until timestamptz;
