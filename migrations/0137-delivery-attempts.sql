-- Each attempt to deliver a notice keeps its record. A new attempt, a repeated delivery and the end of a channel overwrote it.
-- Breaks older code: no.

-- The earlier attempts of a delivery. Its last one is in deliveries.
create table delivery_attempts (
  id         bigint generated always as identity primary key,
  notice_id  text not null,
  channel_id text not null,
  delivered  boolean not null,
  answer     text not null,
  at         timestamptz not null,
  foreign key (notice_id, channel_id) references deliveries on delete cascade
);
create index delivery_attempts_of_delivery on delivery_attempts (notice_id, channel_id);
create trigger append_only before update or truncate on delivery_attempts for each statement execute function refuse_change();

-- With the rights of the owner, so that the application cannot write attempts of its own.
create function keep_delivery_attempt() returns trigger language plpgsql security definer set search_path = pg_catalog, payrun, pg_temp as $$
begin
  insert into payrun.delivery_attempts (notice_id, channel_id, delivered, answer, at)
  values (old.notice_id, old.channel_id, old.state = 'delivered', old.answer, old.updated_at);
  return null;
end $$;
revoke all on function keep_delivery_attempt() from public;
create trigger keeps_attempt after update on deliveries for each row
  when (old.answer is not null and old.updated_at <> new.updated_at)
  execute function keep_delivery_attempt();
