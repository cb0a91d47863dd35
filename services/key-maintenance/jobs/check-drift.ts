import type { Verification } from '../../../libs/commands/connector-commands.ts';
import { RequestError } from '../../../libs/errors/request-error.ts';
import {
  invalidateEntries,
  findDriftChecks,
  noteDriftCheck,
  type DriftCheck,
} from '../../../libs/store/associations/drift.ts';
import type { JobRun, Work } from '../job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
// Destinations that are checked concurrently; only one association of each at a time.
const WIDTH = 4;
const PER_DESTINATION = 500;
const LONGEST_RUN_MS = 120_000;

/** `unreachable`: no answer for it, or for an earlier one of the same destination. */
type Summary = Record<'checked' | 'drifted' | 'unreachable' | 'postponed', number>;

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
    // A check time in the future comes from a clock that was set back since, so it counts as due.
    const due = await findDriftChecks(services.db, { before, now, limit: PER_DESTINATION });
    const summary: Summary = { checked: 0, drifted: 0, unreachable: 0, postponed: 0 };
    const end = performance.now() + LONGEST_RUN_MS;
    const isOver = (): boolean => run.signal.aborted || performance.now() > end;
    const next = byDestination(due).values();
    const checkInTurn = async (): Promise<void> => {
      for (const checks of next) await checkDestination(checks, run, { summary, isOver });
    };
    await Promise.all(Array.from({ length: WIDTH }, checkInTurn));
    return summary;
  },
};

function byDestination(due: DriftCheck[]): Map<number, DriftCheck[]> {
  const groups = new Map<number, DriftCheck[]>();
  for (const check of due)
    groups.set(check.destinationId, [...(groups.get(check.destinationId) ?? []), check]);
  return groups;
}

// A destination that does not answer costs a run one call. The next run asks about another association of it.
async function checkDestination(
  checks: DriftCheck[],
  run: JobRun,
  { summary, isOver }: { summary: Summary; isOver: () => boolean },
): Promise<void> {
  const { services, now } = run;
  const type = checks[0]?.type ?? '';
  if (!isOver() && !(await services.commands.hasWorker(`connector.${type}`))) {
    summary.unreachable += checks.length;
    return;
  }
  for (const [index, check] of checks.entries()) {
    const left = checks.length - index;
    if (isOver()) {
      summary.postponed += left;
      return;
    }
    // Recorded before the call: otherwise an association that gets no answer would always be the first to be asked.
    await noteDriftCheck(services.db, check.associationId, now);
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

async function verify(check: DriftCheck, services: JobRun['services']): Promise<Verification | null> {
  try {
    return await services.commands.call(`connector.${check.type}`, 'verify', {
      association: check.associationId,
    });
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
}

function isCutOff({ entries }: Verification): boolean {
  return entries.some(({ state, cause }) => state === 'unknown' && cause?.class === 'EXTERNAL_SERVICE_ERROR');
}

async function putRight(
  check: DriftCheck,
  verified: Verification,
  { services, change }: JobRun,
): Promise<number> {
  const entries = verified.entries.filter(({ state }) => state === 'drifted' || state === 'missing');
  if (entries.length === 0) return 0;
  await change((transaction) =>
    invalidateEntries(
      transaction,
      check.associationId,
      entries.map((entry) => ({ subKey: entry.sub_key, externalName: entry.external_name })),
    ),
  );
  services.events.send({
    name: 'association.drift',
    data: {
      association: check.associationId,
      destination: check.destinationId,
      type: check.type,
      drifted: entries.filter(({ state }) => state === 'drifted').length,
      missing: entries.filter(({ state }) => state === 'missing').length,
    },
  });
  return entries.length;
}
