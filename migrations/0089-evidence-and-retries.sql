-- Finds the actions on many payouts that changed a payout, or proposed its result, for its evidence.
-- Breaks older code: no.

create index payout_action_outcomes_changed on payout_action_outcomes (payout_id) where outcome = 'changed';
create index payout_resolutions_listed on payout_resolutions (payout_id) where action_id is not null;
