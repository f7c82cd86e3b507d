-- People: users and their roles, sessions, one-time links, keys for programs, and what slows down the guessing of passwords.
-- Of every secret only a digest is kept, or the secret sealed under PAYRUN_KEY.
-- Breaks older code: no.

create table users (
  id          text primary key,
  email       text not null,
  name        text not null,
  roles       text[] not null,
  password    text,                          -- argon2id with its parameters; null: not chosen yet
  totp        bytea,                         -- sealed; null: none
  totp_step   bigint not null default 0,     -- of the last code that was used: a code counts once
  disabled_at timestamptz,
  created_at  timestamptz not null default now()
);
create unique index users_email on users (lower(email));
create trigger kept before delete or truncate on users for each statement execute function refuse_change();

create table recovery_codes (
  user_id text not null references users,
  digest  bytea not null,
  used_at timestamptz,
  primary key (user_id, digest)
);

-- What a link of ours allows its bearer, once.
create table links (
  digest     bytea primary key,
  purpose    text not null check (purpose in ('setup', 'invite', 'reset')),
  user_id    text references users,         -- null: setup, which makes one
  expires_at timestamptz not null,
  used_at    timestamptz,
  created_at timestamptz not null default now()
);
create index links_of on links (user_id);

create table sessions (
  id               text primary key,        -- its name in lists; opens nothing
  digest           bytea not null unique,   -- of the token in the cookie
  user_id          text not null references users,
  secure           boolean not null,        -- made over https: its cookie counts there alone
  address          text not null,
  agent            text not null,
  seen_at          timestamptz not null,
  expires_at       timestamptz not null,
  stepped_up_until timestamptz,
  ended_at         timestamptz,
  created_at       timestamptz not null
);
create index sessions_of on sessions (user_id) where ended_at is null;

create table api_keys (
  id         text primary key,
  name       text not null,
  digest     bytea not null unique,
  shown      text not null,                 -- its first letters, to tell keys apart
  scopes     text[] not null,
  created_by text not null references users,
  expires_at timestamptz not null,
  used_at    timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null
);

-- Wrong passwords in a row, per account and per address.
create table throttles (
  key        bytea primary key,             -- keyed digest
  failures   integer not null,
  until      timestamptz not null,          -- nothing is looked at before
  updated_at timestamptz not null
);
