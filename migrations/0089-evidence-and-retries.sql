-- Finds the actions on many payouts that changed a payout, or proposed its result, for its evidence. And compares user IDs with retry
-- batches without decrypting them.
-- Breaks older code: no, but it stores payouts whose user ID is not found. Stop older processes first.

create index payout_action_outcomes_changed on payout_action_outcomes (payout_id) where outcome = 'changed';
create index payout_resolutions_listed on payout_resolutions (payout_id) where action_id is not null;

-- Keyed digest of the user ID, to find payouts of one user in unfinished batches. 0: no user ID; null: stored before this migration.
alter table payout_details add column user_key bigint;
create index payout_details_user on payout_details (user_key, payout_id) where user_key <> 0;
