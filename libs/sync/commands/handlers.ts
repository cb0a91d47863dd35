import { ConnectorError, type CheckStep } from '../../connector/errors.ts';
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { issuerOf } from '../../config/config.ts';
import { RequestError, unavailable } from '../../errors/request-error.ts';
import type { HandlersOf } from '../../commands/commands.ts';
import type { CheckResult, DraftDestination, PlanRequest } from '../../commands/connector-commands.ts';
import {
  findSettingsDigest,
  findTemplate,
  type NameTemplate,
} from '../../store/destinations/destinations.ts';
import { clearFailure } from '../../store/orders/probes.ts';
import { describeDuration } from '../../telling/duration.ts';
import { transact } from '../../db/transact.ts';
import { keepFindings } from '../../store/associations/drift.ts';
import { noteIncidents } from '../../store/incidents/note.ts';
import { findLedger, type LedgerLine } from '../../store/orders/ledger.ts';
import type { Cause } from '../../store/orders/order.ts';
import type { Session } from '../../connector/contract.ts';
import { externalName } from '../../connector/names.ts';
import type { Engine } from '../engine.ts';
import { askInTime } from '../push/call-limit.ts';
import { toLoggedFailure } from '../push/failure.ts';
import { createAsker } from './asker.ts';
import { driftFinding, driftOf, toComparedLine, lookAtNames, sightOf, type ComparedLine } from './verify.ts';
import type { LookUp } from './plan/look-up.ts';
import { planSecrets } from './plan/plan.ts';
import { compareWithWanted } from './wanted.ts';
import { createDraftOpener, createShares, type InShare, type WithDraft } from './shares.ts';

/** What a connector worker does for each command of the API. */
export function createConnectorHandlers(engine: Engine): HandlersOf<`connector.${string}`> {
  // At most one check and one verify run for each destination, because it may hang: the commands of all destinations
  // share the few that a worker runs at a time.
  const checking = new Map<string, Promise<CheckResult>>();
  const verifying = new Set<number>();
  const withDraft = createDraftOpener(engine);
  const inShare = createShares();

  return {
    check: async (body) => {
      if ('draft' in body) return checkDraft(body.draft, { engine, withDraft });
      const { destination } = body;
      return inShare(destination, async () => {
        const digest = await findSettingsDigest(engine.context.db, destination);
        const key = `${destination}/${digest}`;
        const answer =
          checking.get(key) ?? check(destination, digest, engine).finally(() => checking.delete(key));
        checking.set(key, answer);
        return answer;
      });
    },
    issuer: async () => issuerOf(engine.context.config),
    plan: (request) => planSecrets(request, engine, createLookUp(request, { engine, withDraft, inShare })),
    verify: async ({ association }) => {
      const ledger = await findLedger(engine.context.db, association);
      const [first] = ledger;
      if (!first) return { entries: [] };
      const { destinationId } = first;
      if (verifying.has(destinationId))
        throw unavailable('another secret of this destination is being verified: try again in a moment');
      verifying.add(destinationId);
      try {
        const found = await compareWithStore(ledger, destinationId, engine);
        await keep({ association, destinationId }, found, engine);
        return { entries: found.map(driftOf) };
      } finally {
        verifying.delete(destinationId);
      }
    },
  };
}

type Helpers = { engine: Engine; withDraft: WithDraft; inShare: InShare };

function checkDraft(
  draft: DraftDestination,
  { engine, withDraft }: Omit<Helpers, 'inShare'>,
): Promise<CheckResult> {
  const name = probeName(draft, engine);
  const limit = engine.context.config.CALL_TIMEOUT;
  const tryIt = (session: Session): Promise<void> =>
    askInTime(limit, engine.stop, (signal) => session.check(signal, name));
  return timed(engine, () => withDraft(draft, tryIt));
}

// Asks the store of a plan: the one that a draft leads to, or else the destination's own.
function createLookUp(
  { destination: { id, name }, namespace, settings }: PlanRequest,
  { engine, withDraft, inShare }: Helpers,
): LookUp {
  // What the store has not answered once, a plan asks no further time.
  const ask = createAsker(engine);
  let broken: Cause | undefined;
  const lookWith = async <Seen>(
    look: (session: Session) => Promise<Seen>,
    without: (cause: Cause) => Seen,
  ): Promise<Seen> => {
    if (broken) return without(broken);
    try {
      if (settings) return await withDraft({ namespace: namespace.path, name, settings }, look);
      return await inShare(id, async () => {
        const { session } = await engine.sessions.get(id, await findSettingsDigest(engine.context.db, id));
        return look(session);
      });
    } catch (error) {
      if (error instanceof RequestError) throw error;
      broken = toLoggedFailure(error, engine).cause;
      return without(broken);
    }
  };
  return {
    names: (names) =>
      lookWith(
        (session) => lookAtNames(names, { destinationId: id, session, ask }, engine),
        (cause) => names.map((wanted) => sightOf(wanted.name, cause)),
      ),
    outdated: (keys) =>
      lookWith<Awaited<ReturnType<LookUp['outdated']>>>(
        async (session) => ({
          places: keys.map((key) =>
            session.isOutdated?.(key)
              ? { removedFrom: session.removedFrom?.(key) ?? [], addedTo: session.addedTo?.(key) ?? [] }
              : null,
          ),
        }),
        (cause) => ({ cause }),
      ),
    entries: async (lines) => {
      if (lines.length === 0) return [];
      const found = await lookWith(
        (session) => compareWithWanted(lines, session, engine, ask),
        (cause) => lines.map((line) => toComparedLine(line, 'unknown', cause)),
      );
      // Other settings may lead elsewhere.
      if (settings) return found;
      for (const association of new Set(lines.map(({ associationId }) => associationId))) {
        const own = found.filter(({ line }) => line.associationId === association);
        await keep({ association, destinationId: id }, own, engine);
      }
      return found;
    },
  };
}

async function compareWithStore(
  ledger: LedgerLine[],
  destinationId: number,
  engine: Engine,
): Promise<ComparedLine[]> {
  try {
    const digest = await findSettingsDigest(engine.context.db, destinationId);
    const { session } = await engine.sessions.get(destinationId, digest);
    return await compareWithWanted(ledger, session, engine);
  } catch (error) {
    const { cause } = toLoggedFailure(error, engine);
    return ledger.map((line) => toComparedLine(line, 'unknown', cause));
  }
}

// Stores the drift: a value that somebody changed outside must not count as in sync until we write it again. Its incident
// opens and ends with it: an overwrite right afterwards would leave nothing to note.
async function keep(
  { association, destinationId }: { association: number; destinationId: number },
  found: ComparedLine[],
  { context }: Engine,
): Promise<void> {
  const findings = found.flatMap((one) => driftFinding(one) ?? []);
  if (findings.length === 0) return;
  await transact(context.db, async (transaction) => {
    if (await keepFindings(transaction, association, findings))
      await noteIncidents(transaction, [destinationId]);
  });
}

async function check(destinationId: number, digest: string, engine: Engine): Promise<CheckResult> {
  return timed(engine, async () => {
    const { session } = await engine.sessions.get(destinationId, digest);
    const row = await findTemplate(engine.context.db, destinationId);
    const name = probeName(row, engine);
    await askInTime(engine.context.config.CALL_TIMEOUT, engine.stop, (signal) => session.check(signal, name));
    await clearFailure(engine.context.db, destinationId);
  });
}

async function timed(engine: Engine, attempt: () => Promise<void>): Promise<CheckResult> {
  const start = performance.now();
  const taken = (): number => Math.round(performance.now() - start);
  try {
    await attempt();
    return { ok: true, cause: null, step: null, ms: taken() };
  } catch (error) {
    return { ok: false, cause: causeWithWait(error, engine), step: stepOf(error), ms: taken() };
  }
}

// A push waits by itself. Whoever tests needs to know when to try again.
function causeWithWait(error: unknown, engine: Engine): Cause {
  const { cause, retry, waitMs } = toLoggedFailure(error, engine);
  if (retry !== 'wait') return cause;
  const seconds = Math.ceil(waitMs / 1000);
  const wait = seconds < 120 ? `${seconds} s` : describeDuration(Math.ceil(seconds / 60) * 60);
  return { ...cause, message: `${cause.message} Try again in ${wait}.` };
}

function stepOf(error: unknown): CheckStep | null {
  return error instanceof ConnectorError ? (error.step ?? null) : null;
}

// A name that the destination's own template makes and that no secret has: rights may be limited to such names. A check
// may change an entry of that name, so the name must hold the random part.
function probeName(row: NameTemplate | undefined, { destination }: Engine): string {
  const random = randomBytes(16).toString('hex');
  const unique = `sealift-check-${random}`;
  if (!row) return unique;
  const { mountPath, mountAccessor } = row;
  const named = externalName({
    type: destination,
    destination: { name: row.name, template: row.template },
    namespace: { id: row.namespaceId, path: row.namespace },
    mount: { path: mountPath ?? 'check', accessor: mountAccessor ?? 'check' },
    secretPath: unique,
    subKey: row.granularity === 'secret-key' ? unique : '',
  });
  return 'name' in named && named.name.toLowerCase().includes(random) ? named.name : unique;
}
