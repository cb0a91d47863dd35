import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

const HOLD_MS = 1500;

// Simulates a full disk as Postgres reports it (53100), without filling this machine's disk.
const DISK_FULL = `
CREATE OR REPLACE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
CREATE OR REPLACE TRIGGER disk_full BEFORE INSERT OR UPDATE ON associations EXECUTE FUNCTION disk_full();
CREATE OR REPLACE TRIGGER disk_full BEFORE INSERT OR UPDATE ON entries EXECUTE FUNCTION disk_full();
CREATE OR REPLACE TRIGGER disk_full BEFORE INSERT OR UPDATE ON secret_versions EXECUTE FUNCTION disk_full();`;
const DISK_FREE = 'DROP FUNCTION IF EXISTS disk_full() CASCADE';

const CUT_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;

/** All faults of Postgres. */
export const databaseFaults: Fault[] = [
  { name: 'Postgres restarted', strike: ({ servers }) => servers.restartPostgres('stop') },
  { name: 'Postgres killed', strike: ({ servers }) => servers.restartPostgres('kill') },
  { name: 'all database sessions ended', strike: ({ query }) => query(CUT_OTHERS) },
  {
    name: 'database read-only',
    strike: async ({ query }) => {
      await query('ALTER DATABASE postgres SET default_transaction_read_only = on');
      await query(CUT_OTHERS);
      await sleep(HOLD_MS);
      // Sessions that began meanwhile keep what they found. Only the system itself can end them.
      await query('ALTER DATABASE postgres RESET default_transaction_read_only');
    },
  },
  {
    name: 'disk of the database full',
    strike: async ({ query }) => {
      await query(DISK_FULL);
      await sleep(HOLD_MS);
      await query(DISK_FREE);
    },
  },
  {
    // Every statement on the table waits. Soon every connection of every pool waits in one.
    name: 'table locked until the pools are exhausted',
    strike: ({ query }) =>
      query('BEGIN; LOCK TABLE associations IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(2.5); COMMIT'),
  },
];
