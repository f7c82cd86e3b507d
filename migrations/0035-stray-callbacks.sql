-- A callback for a code that is not here is kept once. Where two installations share a merchant they are many, and each one that
-- came looked through all of them.
-- Breaks older code: no.

create index stray_callbacks_by_facts on stray_callbacks using hash (facts);
