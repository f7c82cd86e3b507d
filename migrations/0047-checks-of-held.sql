-- Payouts on hold and closed payouts are checked for a second payment of their code, too (0042 has those that have ended).
-- Breaks older code: no.

update payouts set check_at = now() where repeated and check_at is null and state in ('held', 'closed');
