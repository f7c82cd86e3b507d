-- A remainder is looked through for what it pays again although the gateway has taken its word back: from the few words that
-- were taken back, not from the payouts, which may be a hundred thousand.
-- Breaks older code: no.

create index transitions_out_of_declined on transitions (payout_id) where from_state = 'declined';
