-- Whether every claim waits for synchronous standbys, so that a promoted standby can continue without a freeze.
-- Breaks older code: no. But an older process does not check the standbys before a claim. Stop older processes before a promotion may
-- continue without a freeze.

-- synchronous_standby_names under which payouts are claimed. Null: claims do not wait for standbys.
alter table epoch add column replication text;
-- When a commit that waited for these standbys last confirmed it.
alter table epoch add column replicated_at timestamptz;
-- Last confirmation of an earlier record. A standby that it names may still hold that record.
alter table epoch add column replicated_before timestamptz;
