import type { Keyring } from '../../crypto/keyring.ts';
import { isBehindPooler, ping, type Database } from '../../db/connect.ts';
import { FormerSchemaError } from '../../db/former-schema.ts';
import { schemaFault } from '../../db/migrate.ts';
import { describeRefusal, sentenceOf } from '../../db/refusals.ts';
import { SessionRefusedError } from '../../db/session.ts';
import { tryChange } from '../../store/maintenance/server-state.ts';
import {
  countDestinationsByType,
  opensInstallation,
  readSchemaRight,
  readServer,
} from '../../store/maintenance/diagnosis.ts';
import { examineCertificates } from './certificates.ts';
import { codeOf, failed, passed, skipped, warning, type Finding } from './finding.ts';

const CLOCK_WARNING_MS = 1000;
const CLOCK_LIMIT_MS = 5000;
const OLDEST_POSTGRES = 13;

/** The result of the database checks; `destinations` by type, null if they cannot be read. */
export type DatabaseReport = { findings: Finding[]; destinations: Map<string, number> | null };

/**
 * Checks database, schema, clock and master key without changing anything; `keyring` is null if it could not be loaded.
 */
export async function examineDatabase(db: Database, keyring: Keyring | null): Promise<DatabaseReport> {
  try {
    return await examineInTurn(db, keyring);
  } catch (error) {
    // What answers at first may refuse the next look, and a table may be gone.
    return { findings: [refusalOf(error)], destinations: null };
  }
}

async function examineInTurn(db: Database, keyring: Keyring | null): Promise<DatabaseReport> {
  const { finding, clock } = await examineServer(db);
  if (!clock)
    return {
      findings: [finding, skipped('master key', 'not checked without the database')],
      destinations: null,
    };
  const schema = await examineSchema(db);
  if (schema.state !== 'ok') return { findings: [finding, clock, schema], destinations: null };
  const changes = await examineChanges(db);
  const key = examineKey(db, keyring);
  const destinations = countDestinationsByType(db);
  if (changes.length === 0) {
    const [opens, certificates, byType] = await Promise.all([key, examineCertificates(db), destinations]);
    return { findings: [finding, clock, schema, opens, ...certificates], destinations: byType };
  }
  // The role may not be allowed to read this either.
  const unknown = skipped('master key', 'not checked: the database does not work');
  const [opens, byType] = await Promise.all([key.catch(() => unknown), destinations.catch(() => null)]);
  return { findings: [finding, clock, schema, ...changes, opens], destinations: byType };
}

async function examineServer(db: Database): Promise<{ finding: Finding; clock?: Finding }> {
  try {
    // The first call includes the time to connect.
    await ping(db);
    const before = Date.now();
    const { version, now } = await readServer(db);
    const after = Date.now();
    const clock = examineClock(now - (before + after) / 2, (after - before) / 2);
    const way = (await isBehindPooler(db)) ? ' through a connection pooler' : '';
    const isOld = Number.parseInt(version, 10) < OLDEST_POSTGRES;
    return {
      finding: isOld
        ? warning('database', `Postgres ${version}`, `upgrade to Postgres ${OLDEST_POSTGRES} or newer`)
        : passed('database', `Postgres ${version} answers${way}`),
      clock,
    };
  } catch (error) {
    return { finding: refusalOf(error) };
  }
}

/** Why the database does not answer a statement, and what to do. */
export function refusalOf(error: unknown): Finding {
  const reason = error instanceof SessionRefusedError ? `: ${error.message}` : '';
  const refusal = describeRefusal(error) ?? {
    detail: 'no connection',
    code: codeOf(error),
    advice: 'look at the log of Postgres',
  };
  return failed('database', `${sentenceOf(refusal)}${reason}`, refusal.advice);
}

/** `offset` and its uncertainty, in milliseconds. */
function examineClock(offset: number, uncertainty: number): Finding {
  const size = Math.max(0, Math.abs(offset) - uncertainty);
  const detail = `the clocks of this host and of Postgres differ by ${(Math.abs(offset) / 1000).toFixed(1)} s`;
  const advice =
    'synchronise both clocks with NTP: a worker whose clock is ahead refuses commands as too late';
  if (size >= CLOCK_LIMIT_MS) return failed('clock', detail, advice);
  return size >= CLOCK_WARNING_MS ? warning('clock', detail, advice) : passed('clock', detail);
}

async function examineSchema(db: Database): Promise<Finding> {
  try {
    const fault = await schemaFault(db);
    if (fault === null) return passed('schema', 'up to date');
    return failed('schema', ...(await whyNot(db, fault)));
  } catch (error) {
    if (error instanceof FormerSchemaError)
      return failed('schema', 'belongs to a version before 0.2.0', error.message);
    return failed(
      'schema',
      `cannot be read: ${codeOf(error)}`,
      'the role of DATABASE_URL must own the schema',
    );
  }
}

// `sealift migrate` may not be able to help by itself.
async function whyNot(db: Database, fault: string): Promise<[string, string]> {
  const { schema, mayCreate } = await readSchemaRight(db);
  if (schema === null) {
    const refusal = describeRefusal(Object.assign(new Error(), { code: '3F000' }));
    return [`${refusal?.detail} (3F000)`, refusal?.advice ?? ''];
  }
  if (mayCreate) return [fault, 'run: sealift migrate'];
  const advice = `let the role create tables: GRANT CREATE ON SCHEMA ${schema} TO …; then run: sealift migrate`;
  return [`${fault}; the role may create no table in the schema ${schema}`, advice];
}

// Nothing is said where a change is accepted: that the database answers is said already.
async function examineChanges(db: Database): Promise<Finding[]> {
  try {
    await tryChange(db);
    return [];
  } catch (error) {
    const refusal = describeRefusal(error) ?? {
      detail: 'the database accepts no change',
      code: codeOf(error),
      advice: 'look at the log of Postgres',
    };
    return [failed('changes', sentenceOf(refusal), refusal.advice)];
  }
}

async function examineKey(db: Database, keyring: Keyring | null): Promise<Finding> {
  if (!keyring) return skipped('master key', 'it could not be loaded');
  const opens = await opensInstallation(db, keyring);
  if (opens === null)
    return passed('master key', 'nothing is sealed yet: this key will seal the first value');
  if (opens) return passed('master key', "can decrypt this installation's data");
  return failed(
    'master key',
    'does not open what this installation has sealed',
    'set the key that sealed it; after a change of the key, add the former key to SEALIFT_OLD_MASTER_KEYS',
  );
}
