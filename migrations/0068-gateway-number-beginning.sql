-- Finds a payout by the beginning of its gateway number: the same index, in the order of bytes.
-- Breaks older code: no.

drop index payouts_gateway_number;
create index payouts_gateway_number on payouts (gateway_number text_pattern_ops) where gateway_number is not null;
