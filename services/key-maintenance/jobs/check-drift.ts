import type { Verification } from '../../../libs/commands/connector-commands.ts';
import { RequestError } from '../../../libs/errors/request-error.ts';
import {
  findDriftChecks,
  findDriftDestinations,
  invalidateEntries,
  noteDriftCheck,
  type DriftDestination,
} from '../../../libs/store/associations/drift.ts';
import type { JobRun, Work } from '../job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
// Destinations that are checked concurrently; only one association of each at a time.
const WIDTH = 4;
const PER_DESTINATION = 500;
const LONGEST_RUN_MS = 120_000;

/**
 * Numbers of associations. `unreachable`: no answer for it, or for an earlier one of the same destination; `postponed`: the
 * time was over. `destinationsLeft`: destinations that the run did not come to.
 */
type Summary = Record<'checked' | 'drifted' | 'unreachable' | 'postponed' | 'destinationsLeft', number>;

type Scope = { before: Date; summary: Summary; isOver: () => boolean };

/**
 * Checks once a day whether external entries still have the value that we wrote, for destinations that turn this on.
 * Entries that somebody changed or removed are written again. What a run has no time for is left to the next run.
 */
export const checkDrift: Work = {
  name: 'check-drift',
  description: 'Find external entries that were changed outside, and repair them',
  run: async (run) => {
    const { services, now } = run;
    const before = new Date(now.getTime() - DAY_MS);
    const summary: Summary = { checked: 0, drifted: 0, unreachable: 0, postponed: 0, destinationsLeft: 0 };
    const end = performance.now() + LONGEST_RUN_MS;
    const isOver = (): boolean => run.signal.aborted || performance.now() > end;
    const next = (await findDriftDestinations(services.db, { before, now })).values();
    const checkInTurn = async (): Promise<void> => {
      for (const destination of next) {
        if (isOver()) summary.destinationsLeft += 1;
        else await checkDestination(destination, run, { before, summary, isOver });
      }
    };
    await Promise.all(Array.from({ length: WIDTH }, checkInTurn));
    return summary;
  },
};

// A destination that does not answer costs a run one call. The next run asks about another association of it.
async function checkDestination(
  { id, type }: DriftDestination,
  run: JobRun,
  { before, summary, isOver }: Scope,
): Promise<void> {
  const { services, now } = run;
  const associations = await findDriftChecks(services.db, {
    destination: id,
    before,
    now,
    limit: PER_DESTINATION,
  });
  if (associations.length > 0 && !(await services.commands.hasWorker(`connector.${type}`))) {
    summary.unreachable += associations.length;
    return;
  }
  for (const [index, association] of associations.entries()) {
    const left = associations.length - index;
    if (isOver()) {
      summary.postponed += left;
      return;
    }
    // Recorded before the call: otherwise an association that gets no answer would always be the first to be asked.
    await noteDriftCheck(services.db, association, now);
    const check = { association, destination: id, type };
    const verified = await verify(check, services);
    if (!verified) {
      summary.unreachable += left;
      return;
    }
    const drifted = await putRight(check, verified, run);
    summary.checked += 1;
    summary.drifted += drifted;
    if (isCutOff(verified)) {
      summary.unreachable += left - 1;
      return;
    }
  }
}

type Check = { association: number; destination: number; type: string };

async function verify(check: Check, services: JobRun['services']): Promise<Verification | null> {
  try {
    return await services.commands.call(`connector.${check.type}`, 'verify', {
      association: check.association,
    });
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
}

function isCutOff({ entries }: Verification): boolean {
  return entries.some(({ state, cause }) => state === 'unknown' && cause?.class === 'EXTERNAL_SERVICE_ERROR');
}

async function putRight(check: Check, verified: Verification, { services, change }: JobRun): Promise<number> {
  const entries = verified.entries.filter(({ state }) => state === 'drifted' || state === 'missing');
  if (entries.length === 0) return 0;
  await change((transaction) =>
    invalidateEntries(
      transaction,
      check.association,
      entries.map((entry) => ({ subKey: entry.sub_key, externalName: entry.external_name })),
    ),
  );
  services.events.send({
    name: 'association.drift',
    data: {
      ...check,
      drifted: entries.filter(({ state }) => state === 'drifted').length,
      missing: entries.filter(({ state }) => state === 'missing').length,
    },
  });
  return entries.length;
}
