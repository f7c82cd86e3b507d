-- Comments are sealed and can be erased, and so can the deposits of a payer. The index of search terms is emptied at once, and
-- written again in blocks.
-- Breaks older code: no. It shows new comments without their text.

alter table comments add column sealed bytea; -- the text; null: a comment of an older version, whose text is not sealed
alter table comments drop constraint comments_text_check;

alter table erasures add column kind text not null default 'beneficiary' check (kind in ('beneficiary', 'payer'));
alter table erasures add column comments integer; -- emptied; null: not carried out, or by an older version

create function check_comment_change() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if new.sealed is distinct from '\x00'::bytea or new.text <> '' or current_erasure() is null
      or (new.number, new.id, new.batch_id, new.payout_id, new.reply_to, new.actor, new.mentions, new.at)
        is distinct from (old.number, old.id, old.batch_id, old.payout_id, old.reply_to, old.actor, old.mentions, old.at) then
    raise exception 'the table comments is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
drop trigger append_only on comments;
create trigger append_only before delete or truncate on comments for each statement execute function refuse_change();
create trigger append_only_row before update on comments for each row execute function check_comment_change();

-- Empties comments after an erasure was confirmed, before erase_data.
create function erase_comments(erasure bigint, comment_ids text[]) returns bigint language plpgsql security definer
  set search_path = pg_catalog, payrun, pg_temp as $$
declare
  n bigint;
begin
  perform set_config('payrun.erasure', erasure::text, true);
  update payrun.comments c set text = '', sealed = '\x00' where c.id = any(comment_ids);
  get diagnostics n = row_count;
  update payrun.erasures e set comments = n where e.id = erasure;
  perform set_config('payrun.erasure', '', true);
  return n;
end $$;
revoke all on function erase_comments(bigint, text[]) from public;

-- The setting `terms_rewrite` says which payouts still need new search terms; '': none. A truncated table leaves no old rows in its
-- files.
create function check_terms_truncation() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if current_setting('payrun.erasure', true) is distinct from 'index' or not exists (select from settings where name = 'terms_rewrite' and value <> '') then
    raise exception 'the table payout_terms is append-only' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
drop trigger append_only on payout_terms;
create trigger append_only before truncate on payout_terms for each statement execute function check_terms_truncation();

create or replace function clear_terms() returns void language plpgsql security definer set search_path = pg_catalog, payrun, pg_temp as $$
begin
  perform set_config('payrun.erasure', 'index', true);
  truncate payrun.payout_terms;
  perform set_config('payrun.erasure', '', true);
end $$;
