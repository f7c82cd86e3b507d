-- A pause that lets what was begun finish.
-- Breaks older code: no. It sends nothing of such a lane, as with any pause.

-- The batches of which something had been sent when the lane was paused: they go on, and nothing else begins. Null: nothing
-- is sent at all. A list and no rule, so that a batch which begins beside the pause does not make itself one of them.
alter table lane_pauses add column finishing text[];
