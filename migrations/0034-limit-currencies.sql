-- A limit may be of every currency that payrun knows: codes of crypto currencies are configuration, and may hold a dash
-- (USDT-TRC20) or have two characters.
-- Breaks older code: no.

alter table money_limits drop constraint money_limits_currency_check,
  add constraint money_limits_currency_check check (currency ~ '^[A-Z0-9-]+$');
