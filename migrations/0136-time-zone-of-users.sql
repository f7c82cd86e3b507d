-- A user may choose the time zone in which the dashboard shows times to them.
-- Breaks older code: no. It shows times in the zone of the browser.

alter table users add column time_zone text; -- such as Asia/Kolkata; null: the zone of the browser
