-- The keys of people's data, once a person was erased or PAYRUN_KEY was rotated. Before that, they are derived from PAYRUN_KEY.
-- Breaks older code: no. Ledgers of older versions seal as before until their key is rotated.

create table key_tree (
  shard   smallint primary key check (shard between 0 and 256), -- 256: the key of the search terms
  version bigint not null check (version > 0), -- number of the erasure that stored it; 1: none yet
  sealed  bytea not null                       -- under PAYRUN_KEY, never under a key of the ledger
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1);
create trigger kept before delete or truncate on key_tree for each statement execute function refuse_change();

-- A key that was destroyed does not return.
create function check_key_tree() returns trigger language plpgsql set search_path = pg_catalog, payrun, pg_temp as $$
begin
  if new.version < old.version then
    raise exception 'shard % of the key tree is older than the stored one', old.shard
      using errcode = 'restrict_violation', constraint = 'key_tree_newer';
  end if;
  return new;
end $$;
create trigger newer before update on key_tree for each row execute function check_key_tree();
