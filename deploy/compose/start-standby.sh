#!/bin/bash
# Copies the primary once, and then follows it.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -o postgres -g postgres -m 0700 "$PGDATA"
  PGPASSWORD=$POSTGRES_STANDBY_PASSWORD gosu postgres pg_basebackup --pgdata "$PGDATA" --slot standby \
    --write-recovery-conf --dbname "host=postgres user=payrun_standby application_name=standby"
fi
exec docker-entrypoint.sh postgres -c log_parameter_max_length=0 -c log_parameter_max_length_on_error=0 \
  -c log_min_error_statement=panic -c log_error_verbosity=terse
