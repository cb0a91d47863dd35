#!/bin/sh
# The Postgres image runs this once, after it has created a database: it lets standbys connect, and from the next start
# on, commits wait for any one of them.
set -eu
echo 'host replication all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
echo "synchronous_standby_names = 'ANY 1 (*)'" >>"$PGDATA/postgresql.auto.conf"
