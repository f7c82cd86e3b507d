#!/bin/bash
# Runs once, when the primary creates its database: lets the standby copy it.
set -euo pipefail
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$POSTGRES_STANDBY_PASSWORD" <<'SQL'
create role payrun_standby replication login password :'password';
select pg_create_physical_replication_slot('standby');
SQL
echo "host replication payrun_standby all scram-sha-256" >> "$PGDATA/pg_hba.conf"
