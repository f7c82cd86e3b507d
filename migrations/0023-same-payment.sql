-- The same payment is found by account and amount together: one account may stand in every row of many files.
-- Breaks older code: no.

drop index payout_details_account;
create index payout_details_account on payout_details (account_digest, amount_minor, payout_id);
