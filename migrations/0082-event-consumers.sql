-- Position of each webhook in the events, and the result files of batches from watched folders.
-- Breaks older code: no, but it sends some messages about batches in the earlier form too. Stop older processes first.

-- Number of the last event that was sent, or that waits as a delivery. Null: an e-mail channel.
alter table channels add column last_event bigint;
update channels set last_event = coalesce((select max(number) from events), 0) where kind = 'webhook';

alter table occurrences
  add column folder text,                   -- from which the file was taken; its result file belongs there
  add column last_event bigint,             -- of its batch; the publisher of events sets it
  add column result_event bigint,           -- the last event that the written result file contains
  add column result_at timestamptz;         -- last attempt to write it
-- Batches that have finished before this migration get a result file only if something changes later.
update occurrences o
set last_event = e.number, result_event = e.number
from (select batch_id, max(number) as number from events group by batch_id) e
where e.batch_id = o.batch_id;
update occurrences o
set folder = s.source ->> 'folder'
from schedules s
where s.id = o.schedule_id and o.state = 'created' and o.seen is not null;
create index occurrences_result on occurrences (batch_id) where last_event > coalesce(result_event, 0);
