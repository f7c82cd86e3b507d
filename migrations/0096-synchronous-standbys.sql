-- Whether every claim waits for synchronous standbys, so that one of them can continue without a freeze when it is promoted.
-- Breaks older code: no. But an older process does not check the standbys before a claim. Stop all of them before a promotion may
-- continue without a freeze.

-- synchronous_standby_names under which payouts are claimed. Null: claims do not wait for standbys.
alter table epoch add column replication text;
-- When a commit that waited for these standbys last confirmed it.
alter table epoch add column replicated_at timestamptz;
