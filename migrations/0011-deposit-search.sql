-- The search box finds a deposit by the gateway's number, which payers and the gateway know it by.
-- Breaks older code: no.

create index deposits_by_gateway_number on deposits (gateway_number) where gateway_number is not null;
