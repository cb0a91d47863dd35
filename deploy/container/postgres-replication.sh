#!/bin/sh
# The Postgres image runs this once, after it has created a database. Standbys can then connect. From the next start on,
# commits wait for any one standby, and a standby that begins, or that was away for a while, finds the log that it needs.
set -eu
echo 'host replication all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
echo "synchronous_standby_names = 'ANY 1 (*)'" >>"$PGDATA/postgresql.auto.conf"
echo "wal_keep_size = '1GB'" >>"$PGDATA/postgresql.auto.conf"
