-- Which earlier batches a batch overlaps is kept beside what is unusual in its rows, as are the bounds of the search.
-- Breaks older code: no. What was kept before has none of it, and is looked for anew.

alter table batch_unusual add column near jsonb;
