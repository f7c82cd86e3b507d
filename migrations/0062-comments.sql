-- Comments on batches and payouts, how far each user has read them, and each user's notifications.
-- A comment is never changed or deleted; a correction is a reply. The audit log records each comment.
-- Breaks older code: no.

create table comments (
  number    bigint generated always as identity primary key,
  id        text not null unique,
  batch_id  text not null references batches, -- of the payout, for a comment on a payout
  payout_id bigint references payouts,        -- null: on the batch
  reply_to  text references comments (id),
  actor     text not null,
  text      text not null check (text <> ''),
  mentions  text[] not null,                  -- users
  at        timestamptz not null default now()
);
create index comments_of_batch on comments (batch_id, number);
create index comments_of_payout on comments (payout_id, number) where payout_id is not null;
create index comments_newest on comments (at);
create trigger append_only before update or delete or truncate on comments for each statement execute function refuse_change();

create table comment_reads (
  user_id text not null references users,
  object  text not null,                      -- as in the audit log: a batch, or a transaction code
  number  bigint not null,                    -- of the last comment that the user has seen
  primary key (user_id, object)
);

create table inbox (
  user_id   text not null references users,
  notice_id text not null references notices,
  read_at   timestamptz,
  primary key (user_id, notice_id)
);
create index inbox_unread on inbox (user_id) where read_at is null;
