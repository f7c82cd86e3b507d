-- What the desk finds payouts by: state, amount, name, account, reference, gateway number, cause, last change.
-- Breaks older code: yes, older code takes payouts in without what they are found by. Payouts that came in before are
-- found by everything but name, account and reference: those are sealed, and SQL has no key.

-- What never changes stands with the details: an index there is written once in the life of a payout.
alter table payout_details
  add column amount_minor numeric(38, 0),
  -- Of which bank, in clear: a code of the bank alone, to count refusals by.
  add column bank text,
  -- Keyed digest of the last four characters of the account: what people have of one, and what leads to a whole one.
  add column account_tail integer;
alter table payout_details disable trigger append_only;
update payout_details d set amount_minor = p.amount_minor from payouts p where p.id = d.payout_id;
alter table payout_details enable trigger append_only;
alter table payout_details alter column amount_minor set not null;
create index payout_details_amount on payout_details (amount_minor, payout_id);
create index payout_details_tail on payout_details (account_tail, payout_id);

-- The same index, in the order of bytes: it finds a code by its beginning, too.
drop index payout_details_code;
create unique index payout_details_code on payout_details (transaction_code text_pattern_ops);

-- Who is paid, to be found without being told: a keyed digest of each word of a name and of a reference, and the payouts
-- that have it. One row per term and chunk of a file and not per payout, because the words of names repeat.
create table payout_terms (
  term bigint not null,
  ids  bigint[] not null
);
create index payout_terms_term on payout_terms (term);
create trigger append_only before update or delete or truncate on payout_terms for each statement execute function refuse_change();

-- Every change of state writes these again, so there are few of them.
create index payouts_state on payouts (state, id);
create index payouts_updated on payouts (updated_at, id);
create index payouts_gateway_number on payouts (gateway_number) where gateway_number is not null;
-- An ordinary payout has no reason at any time.
create index payouts_reason on payouts (split_part(reason, ':', 1), id) where reason is not null;
