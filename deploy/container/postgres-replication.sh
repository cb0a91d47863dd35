#!/bin/sh
# Run once by the image of Postgres, when it has made a new database: lets standbys in, and has commits wait for any one of
# them from the next start on.
set -eu
echo 'host replication all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
echo "synchronous_standby_names = 'ANY 1 (*)'" >>"$PGDATA/postgresql.auto.conf"
